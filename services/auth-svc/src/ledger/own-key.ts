import { type Budget, budgetPeriod, knownBudgetSchema, hourOf, type Principal } from '@switchyard/contracts';
import { type Database, sql } from '@switchyard/database';
import { accountRecord } from '../accounts/account-record.ts';
import { keyColumns, keyRecord } from '../keys/key-record.ts';
import { budgetsSpent } from './budgets-spent.ts';

/** `GET /v1/key`: the permissions of a key and the rest of its budgets. An OAuth token or a key of a workload has no row. */
export async function ownKey(database: Database, { accountId, keyId, ...principal }: Principal, now: Date) {
  const { kysely } = database;
  const row = await kysely.selectFrom('api_keys').select(keyColumns).where('id', '=', keyId).executeTakeFirst();
  const place = await kysely.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
  const key = row && keyRecord(row);
  const account = accountRecord(place);
  return {
    object: 'key',
    id: keyId,
    ...(key && { name: key.name, prefix: key.prefix, created_at: key.createdAt }),
    account: { id: accountId, name: account.name },
    expires_at: key?.expiresAt ?? null,
    allowed_models: principal.allowedModels ?? null,
    allowed_providers: principal.allowedProviders ?? null,
    allowed_mcp_tools: principal.allowedMcpTools ?? null,
    limits: { key: key?.limits ?? null, account: account.limits ?? null },
    budgets: [
      ...(await budgetState(database, { scope: 'key', id: keyId, budget: principal.budgets?.key, now })),
      ...(await budgetState(database, { scope: 'account', id: accountId, budget: account.budget, now })),
    ],
  };
}

interface ScopedBudget {
  scope: 'key' | 'account';
  id: string;
  budget: Budget | undefined;
  now: Date;
}

async function budgetState(database: Database, { scope, id, budget, now }: ScopedBudget) {
  if (budget === undefined) return [];
  const { amount, period } = knownBudgetSchema.parse(budget);
  const { from, until } = budgetPeriod(period, now);
  const query = { scope, id, hour: hourOf(now), ...(from && { from: from.toISOString() }) };
  const [spent] = await budgetsSpent(database, [query]);
  const costs = [spent?.before ?? '0', ...(spent?.hours.map(({ cost }) => cost) ?? [])];
  const { rows } = await sql<{ spent: string; left: string }>`
    select trim_scale(sum(cost::numeric))::text as spent,
      trim_scale(greatest(0, ${amount}::numeric - sum(cost::numeric)))::text as left
    from jsonb_array_elements_text(${JSON.stringify(costs)}::jsonb) as cost`.execute(database.kysely);
  return [{ scope, amount, period, ...rows[0], resets_at: until?.toISOString() ?? null }];
}
