import type { BudgetQuery, SpentBudget } from '@tallyport/contracts';
import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import { endUserSums } from './end-user-sums.ts';

/**
 * Returns what was spent of each budget: the sum before its hour, and a sum per hour since. Requests that accounts paid
 * for themselves are not counted.
 */
export async function budgetsSpent({ kysely }: Database, budgets: readonly BudgetQuery[]): Promise<SpentBudget[]> {
  const spent: SpentBudget[] = [];
  for (const budget of budgets)
    spent.push(await (budget.endUser === undefined ? budgetSpent : endUserSpent)(kysely, budget));
  return spent;
}

const ofAccount = { hours: sql`usage_hours`, days: sql`usage_days` };

/** The column that names the holder of a budget, and the sums of its requests. */
const sources = {
  key: { column: sql`key_id`, ...ofAccount },
  project: { column: sql`project_id`, hours: sql`project_hours`, days: sql`project_days` },
  account: { column: sql`account_id`, ...ofAccount },
} as const satisfies Record<BudgetQuery['scope'], unknown>;

const beginning = '2000-01-01T00:00:00.000Z';

/**
 * Adds whole days from the daily sums and the rest from the hourly sums, so the cost does not grow with the number of
 * requests.
 */
async function budgetSpent(queries: Queries, { scope, id, from = beginning, hour }: BudgetQuery): Promise<SpentBudget> {
  const { column, hours, days } = sources[scope];
  const day = `${hour.slice(0, 10)}T00:00:00.000Z`;
  const of = (since: string, until: string) =>
    sql`${column} = ${id} and not own_key and at >= ${since}::timestamptz and at < ${until}::timestamptz`;
  return readSpent(queries, {
    earlier: sql`select cost from ${days} where ${of(from, day)}
      union all select cost from ${hours} where ${of(from > day ? from : day, hour)}`,
    later: sql`select at, cost from ${hours} where ${of(hour, end)}`,
  });
}

const end = '2200-01-01T00:00:00.000Z';

/** Of an end user, whose sums are in one place. */
function endUserSpent(
  queries: Queries,
  { scope, id, from = beginning, hour, endUser }: BudgetQuery,
): Promise<SpentBudget> {
  const { accountId = '', name = '' } = endUser ?? {};
  const of = (since: string, until: string) =>
    sql`account_id = ${accountId} and end_user = ${name} and ${sources[scope].column} = ${id}
      and at >= ${since}::timestamptz and at < ${until}::timestamptz`;
  return readSpent(queries, {
    earlier: sql`select cost - own_key_cost as cost from ${endUserSums} where ${of(from, hour)}`,
    later: sql`select at, cost - own_key_cost as cost from ${endUserSums} where ${of(hour, end)}`,
  });
}

async function readSpent(
  queries: Queries,
  { earlier, later }: { earlier: RawBuilder<unknown>; later: RawBuilder<unknown> },
): Promise<SpentBudget> {
  const { rows } = await sql<{ hour: string | null; cost: string }>`
    select null as hour, trim_scale(coalesce(sum(cost), 0))::text as cost from (${earlier}) as earlier
    union all
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), trim_scale(sum(cost))::text
    from (${later}) as later group by 1`.execute(queries);
  return {
    before: rows.find((row) => row.hour === null)?.cost ?? '0',
    hours: rows.flatMap((row) => (row.hour === null ? [] : [{ hour: row.hour, cost: row.cost }])),
  };
}
