import {
  type ApiKey,
  type Budget,
  type BudgetQuery,
  budgetPeriod,
  knownBudgetSchema,
  hourOf,
  type Principal,
} from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { OwnKey } from '@tallyport/endpoints';
import type { Account } from '@tallyport/management';
import { accountRecord } from './account-record.ts';
import { keyColumns, keyRecord } from '../keys/key-record.ts';
import { projectRecord, type ProjectRecord } from '../projects/project-record.ts';
import { budgetSpent } from '../ledger/budgets-spent.ts';

interface LimitHolders {
  key: ApiKey | undefined;
  project: ProjectRecord | undefined;
  account: Account;
}

/** `GET /v1/key`: the permissions of a key and the rest of its budgets. An OAuth token or a key of a workload has no row. */
export async function ownKey(
  { kysely }: Database,
  { accountId, projectId, keyId, ...principal }: Principal,
  now: Date,
): Promise<OwnKey> {
  const row = await kysely.selectFrom('api_keys').select(keyColumns).where('id', '=', keyId).executeTakeFirst();
  const place = await kysely.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
  const project = projectId === undefined ? undefined : await findProject(kysely, projectId);
  const key = row && keyRecord(row);
  const account = accountRecord(place);
  return {
    object: 'key',
    id: keyId,
    ...(key && { name: key.name, prefix: key.prefix, created_at: key.createdAt }),
    ...(project && { project: { id: project.id, name: project.name } }),
    account: { id: accountId, name: account.name },
    expires_at: key?.expiresAt ?? null,
    ...allowedBy(principal),
    limits: limitsOf({ key, project, account }),
    budgets: [
      ...(await budgetState(kysely, { scope: 'key', id: keyId, budget: principal.budgets?.key }, now)),
      ...(project ? await budgetState(kysely, { scope: 'project', id: project.id, budget: project.budget }, now) : []),
      ...(await budgetState(kysely, { scope: 'account', id: accountId, budget: account.budget }, now)),
    ],
  };
}

const limitsOf = ({ key, project, account }: LimitHolders) => ({
  key: key?.limits ?? null,
  ...(project && { project: project.limits ?? null }),
  account: account.limits ?? null,
});

const allowedBy = ({ allowedModels, allowedProviders, allowedMcpTools }: Partial<Principal>) => ({
  allowed_models: allowedModels ?? null,
  allowed_providers: allowedProviders ?? null,
  allowed_mcp_tools: allowedMcpTools ?? null,
});

async function findProject(queries: Queries, id: string): Promise<ProjectRecord | undefined> {
  const row = await queries.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
  return row && projectRecord(row);
}

interface BudgetHolder {
  scope: BudgetQuery['scope'];
  id: string;
  budget: Budget | undefined;
}

async function budgetState(queries: Queries, { scope, id, budget }: BudgetHolder, now: Date) {
  if (budget === undefined) return [];
  const { amount, period } = knownBudgetSchema.parse(budget);
  const { from, until } = budgetPeriod(period, now);
  const spent = await budgetSpent(queries, { scope, id, hour: hourOf(now), ...(from && { from: from.toISOString() }) });
  const costs = [spent.before, ...spent.hours.map(({ cost }) => cost)];
  const { rows } = await sql<{ spent: string; left: string }>`
    select trim_scale(sum(cost::numeric))::text as spent,
      trim_scale(greatest(0, ${amount}::numeric - sum(cost::numeric)))::text as left
    from jsonb_array_elements_text(${JSON.stringify(costs)}::jsonb) as cost`.execute(queries);
  return rows.map((row) => ({ scope, amount, period, ...row, resets_at: until?.toISOString() ?? null }));
}
