import { type Budget, noEndUser, otherEndUsers } from '@tallyport/contracts';
import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { EndUserSums, EndUserUsage } from '@tallyport/management';
import { resetOf, startOf } from '../budgets/read-budgets.ts';
import { endUserSums } from '../usage/end-user-sums.ts';
import { amountColumns, amountsOf, type AmountsRow } from './amounts.ts';
import { readDays } from './read-days.ts';
import { readP95 } from './read-p95.ts';
import type { UsageQuery } from '../usage/read-usage.ts';

interface WantedList {
  limit: number;
  now: Date;
  /** Whether those that cost most have their days as well. */
  byDay?: boolean;
  /** Whether each has its p95, for which many rows are read. */
  hasLatency?: boolean;
}

interface EndUserList {
  endUsers: EndUserUsage[];
  others: EndUserSums;
}

/** Lists the end users that cost most, with the budget of each that has the least left. */
export async function listEndUsers(
  { kysely }: Database,
  usageQuery: UsageQuery,
  { limit, now, byDay = false, hasLatency = false }: WantedList,
): Promise<EndUserList> {
  const of = conditionOf(usageQuery);
  const named = sql`${of} and end_user not in (${otherEndUsers}, ${noEndUser})`;
  const [top, others] = await Promise.all([
    sql<AmountsRow & { end_user: string }>`select end_user, ${amountColumns} from ${endUserSums} where ${named}
      group by end_user order by sum(cost) desc, sum(requests) desc, end_user limit ${limit}`.execute(kysely),
    sql<AmountsRow>`select ${amountColumns} from ${endUserSums} where ${of} and end_user = ${otherEndUsers}`.execute(
      kysely,
    ),
  ]);
  const names = top.rows.map(({ end_user }) => end_user);
  const [budgets, p95, days] = await Promise.all([
    budgetsOf(kysely, { usageQuery, names, now }),
    hasLatency
      ? readP95(kysely, sql`${of} and end_user = any(${textsIn([...names, otherEndUsers])})`, sql`end_user`)
      : undefined,
    byDay ? readDays(kysely, sql`${of} and end_user = any(${textsIn(names.slice(0, mostByDay))})`) : undefined,
  ]);
  return {
    endUsers: top.rows.map((row) => {
      const budget = budgets.get(row.end_user);
      const own = days?.get(row.end_user);
      return {
        endUser: row.end_user,
        ...amountsOf(row, p95?.get(row.end_user)),
        ...(own && { days: own }),
        ...(budget && { budget }),
      };
    }),
    others: amountsOf(others.rows[0], p95?.get(otherEndUsers)),
  };
}

const mostByDay = 20;

/** A parameter with an item for each name would be another statement for each number of names. */
const textsIn = (names: readonly string[]): RawBuilder<unknown> =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb))`;

function conditionOf({ accountId, keyId, projectId, from, until }: UsageQuery): RawBuilder<unknown> {
  const conditions = [sql`account_id = ${accountId} and at >= ${from} and at < ${until}`];
  if (keyId !== undefined) conditions.push(sql`key_id = ${keyId}`);
  if (projectId !== undefined) conditions.push(sql`project_id = ${projectId === 'none' ? '' : projectId}`);
  return sql.join(conditions, sql` and `);
}

interface BudgetRow extends Omit<NonNullable<EndUserUsage['budget']>, 'resetsAt'> {
  end_user: string;
  period: Budget['period'];
}

interface WantedBudgets {
  usageQuery: UsageQuery;
  names: readonly string[];
  now: Date;
}

/** The budget of each end user with the least left, of those keys and projects whose requests named it. */
async function budgetsOf(queries: Queries, { usageQuery, names, now }: WantedBudgets) {
  const { accountId, keyId, projectId } = usageQuery;
  const holder = (scope: 'key' | 'project', table: RawBuilder<unknown>, only: string | undefined) =>
    sql`select ${scope}::text as scope, id, name, (end_user_budget->>'amount')::numeric as amount,
        end_user_budget->>'period' as period
      from ${table} where account_id = ${accountId} and jsonb_typeof(end_user_budget) = 'object'
        ${only === undefined ? sql`` : sql`and id = ${only}`}`;
  const { rows } = await sql<BudgetRow>`
    with holder as (
      ${holder('key', sql`api_keys`, keyId)} union all ${holder('project', sql`projects`, projectId)}
    ), spending as (
      select end_user, scope, id, name, amount, period,
        coalesce(sum(cost - own_key_cost) filter (where at >= ${startOf(now)}), 0) as spent
      from ${endUserSums}
      join holder on holder.id = case holder.scope when 'key' then sums.key_id else sums.project_id end
      where account_id = ${accountId} and end_user = any(${textsIn(names)})
      group by 1, 2, 3, 4, 5, 6
    )
    select distinct on (end_user) end_user, scope, id, name, amount::text as amount, period,
      trim_scale(spent)::text as spent, trim_scale(greatest(0, amount - spent))::text as left
    from spending order by end_user, amount - spent, scope, id`.execute(queries);
  return new Map(rows.map(({ end_user, ...budget }) => [end_user, { ...budget, ...resetOf(budget.period, now) }]));
}
