import { type Database, type Queries, sql } from '@tallyport/database';
import { findAccountTerms } from '../../callers/account-terms.ts';
import { type CallerTerms, termsWithoutKey } from '../../callers/caller-of.ts';
import { findNamedProject } from '../../projects/find-named-project.ts';
import type { Identity, Workload } from '../document/read-identity.ts';

/**
 * Finds a key that was exchanged for a token. It ends with its rule: settings are those of the rule now. Limits and
 * budgets count by rule and subject, so a new key of the same subject does not begin anew.
 */
export async function findWorkloadKey(
  { kysely }: Database,
  { keyHash, identity }: { keyHash: string; identity: Identity },
): Promise<CallerTerms | undefined> {
  if (identity.workloads.length === 0) return undefined;
  const key = await kysely
    .selectFrom('workload_keys')
    .select(['rule', 'subject', 'expires_at'])
    .where('key_hash', '=', keyHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  const rule = identity.workloads.find(({ id }) => id === key?.rule);
  if (key === undefined || rule === undefined) return undefined;
  const account = await findAccountTerms(kysely, rule.account);
  if (account === undefined) return undefined;
  const project = await projectOf(kysely, rule);
  // Without its project, a key would not have the limits that its rule intends.
  if (rule.project !== undefined && project === undefined) return undefined;
  const id = keyIdOfWorkload(rule.id, key.subject);
  return {
    ...termsWithoutKey({ id, accountId: rule.account, endsAt: key.expires_at }, account),
    ...(project && {
      projectId: project.id,
      projectAllowedTiers: project.allowed_tiers,
      projectLimits: project.limits,
      projectBudget: project.budget,
      projectEndUserBudget: project.end_user_budget,
    }),
    ...settingsOf(rule),
  };
}

/** The project that a rule names; `undefined` if it names none, or one that does not exist. */
export const projectOf = async (queries: Queries, { account: accountId, project }: Workload) =>
  project === undefined ? undefined : findNamedProject(queries, { accountId, project });

const settingsOf = (rule: Workload) => ({
  allowedModels: rule.allowedModels ?? null,
  allowedProviders: rule.allowedProviders ?? null,
  allowedTiers: rule.allowedTiers ?? null,
  allowedMcpTools: rule.allowedMcpTools ?? null,
  allowedAddresses: rule.allowedAddresses ?? null,
  limits: rule.limits ?? null,
  budget: rule.budget ?? null,
  endUserBudget: rule.endUserBudget ?? null,
  cacheTtlSeconds: rule.cacheTtlSeconds ?? null,
  promptCaching: rule.promptCaching ?? null,
  guardrails: rule.guardrails ?? null,
});

/** The key id in usage, logs and limits. */
const keyIdOfWorkload = (rule: string, subject: string): string => `workload_${rule}:${subject}`;
