import {
  type ApiKey,
  type Budget,
  type BudgetQuery,
  budgetPeriod,
  knownBudgetSchema,
  hourOf,
  type Principal,
  type SpentBudget,
} from '@tallyport/contracts';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { OwnKey } from '@tallyport/endpoints';
import type { Account } from '@tallyport/management';
import { accountRecord } from './account-record.ts';
import { keyColumns, keyRecord } from '../keys/key-record.ts';
import { projectRecord, type ProjectRecord } from '../projects/project-record.ts';

interface LimitHolders {
  key: ApiKey | undefined;
  project: ProjectRecord | undefined;
  account: Account;
}

interface OwnKeyTools {
  database: Database;
  /** What the ledger has recorded against budgets. */
  spentOf(asked: BudgetQuery[]): Promise<readonly SpentBudget[]>;
}

/** `GET /v1/key`: the permissions of a key and the rest of its budgets. An OAuth token or a key of a workload has no row. */
export async function ownKey(
  { database: { kysely }, spentOf }: OwnKeyTools,
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
    budgets: await budgetStates({ kysely, spentOf, now }, [
      { scope: 'key', id: keyId, budget: principal.budgets?.key },
      ...(project ? [{ scope: 'project' as const, id: project.id, budget: project.budget }] : []),
      { scope: 'account', id: accountId, budget: account.budget },
    ]),
  };
}

const limitsOf = ({ key, project, account }: LimitHolders) => ({
  key: key?.limits ?? null,
  ...(project && { project: project.limits ?? null }),
  account: account.limits ?? null,
});

const allowedBy = ({ allowedModels, allowedProviders, allowedTiers, allowedMcpTools }: Partial<Principal>) => ({
  allowed_models: allowedModels ?? null,
  allowed_providers: allowedProviders ?? null,
  allowed_tiers: allowedTiers ?? null,
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

interface BudgetTools extends Pick<OwnKeyTools, 'spentOf'> {
  kysely: Queries;
  now: Date;
}

async function budgetStates({ kysely, spentOf, now }: BudgetTools, holders: readonly BudgetHolder[]) {
  const held = holders.flatMap(({ scope, id, budget }) => {
    if (budget === undefined) return [];
    const { amount, period } = knownBudgetSchema.parse(budget);
    return [{ scope, id, amount, period, ...budgetPeriod(period, now) }];
  });
  if (held.length === 0) return [];
  const hour = hourOf(now);
  const spent = await spentOf(
    held.map(({ scope, id, from }) => ({ scope, id, hour, ...(from && { from: from.toISOString() }) })),
  );
  return Promise.all(
    held.map(async ({ scope, amount, period, until }, index) => ({
      scope,
      amount,
      period,
      ...(await sumsOf(kysely, amount, spent[index])),
      resets_at: until?.toISOString() ?? null,
    })),
  );
}

async function sumsOf(queries: Queries, amount: string, { before, hours }: SpentBudget = { before: '0', hours: [] }) {
  const costs = [before, ...hours.map(({ cost }) => cost)];
  const { rows } = await sql<{ spent: string; left: string }>`
    select trim_scale(sum(cost::numeric))::text as spent,
      trim_scale(greatest(0, ${amount}::numeric - sum(cost::numeric)))::text as left
    from jsonb_array_elements_text(${JSON.stringify(costs)}::jsonb) as cost`.execute(queries);
  return rows[0] ?? { spent: '0', left: amount };
}
