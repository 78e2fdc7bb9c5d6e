import { type Budget, budgetPeriod } from '@tallyport/contracts';
import { type Database, type RawBuilder, sql } from '@tallyport/database';
import type { BudgetProgress } from '@tallyport/management';
import { likeText, matchesKey } from '@tallyport/management-server';

export interface BudgetSelection {
  accountId: string;
  /** The budget of the account, those of its projects, or those of its keys. */
  scope: BudgetProgress['scope'];
  /** Only projects that this user belongs to, or keys that they created. */
  userId?: string | undefined;
  /** One project or key only. */
  id?: string | undefined;
  /** Text in the name of a project or key, or at the beginning of a key. */
  search?: string | undefined;
  /** Only budgets of which at least this part was spent. */
  spentPercent?: number | undefined;
  /** The id of the project or key after which the list begins. */
  after?: string | undefined;
  limit: number;
}

interface BudgetRow {
  id: string;
  name: string;
  amount: string;
  period: Budget['period'];
  spent: string;
  left: string;
  percent: number;
}

/** The column that names the holder of a budget, and the sums of its requests. */
const spendings = {
  account: { column: sql`account_id`, days: sql`usage_days` },
  project: { column: sql`project_id`, days: sql`project_days` },
  key: { column: sql`key_id`, days: sql`usage_days` },
} as const satisfies Record<BudgetProgress['scope'], unknown>;

/**
 * Reads budgets with what was spent of them in their current period. Periods begin at midnight, so the daily sums
 * answer, at a cost that does not grow with the number of requests. Requests that accounts paid for themselves are not
 * counted.
 */
export async function readBudgets(
  { kysely }: Database,
  selection: BudgetSelection,
  now: Date,
): Promise<BudgetProgress[]> {
  const { scope, spentPercent = 0, limit } = selection;
  const { column, days } = spendings[scope];
  const { rows } = await sql<BudgetRow>`
    select id, name, amount::text as amount, period, trim_scale(spent)::text as spent,
      trim_scale(greatest(0, amount - spent))::text as left, percent::double precision as percent
    from (${budgetsIn(selection)}) as budgeted
    cross join lateral (
      select coalesce(sum(cost), 0) as spent from ${days}
      where ${column} = budgeted.id and not own_key and at >= ${startOf(now)}
    ) as spending
    cross join lateral (
      select case when amount = 0 then 100 else spent * 100 / amount end as percent
    ) as progress
    where percent >= ${spentPercent}::numeric
    order by created_at, id limit ${limit}`.execute(kysely);
  return rows.map(({ percent, ...row }) => ({
    ...row,
    scope,
    spentPercent: Math.round(percent * 100) / 100,
    ...resetOf(row.period, now),
  }));
}

function budgetsIn(selection: BudgetSelection): RawBuilder<unknown> {
  const columns = sql`id, name, created_at, (budget->>'amount')::numeric as amount, budget->>'period' as period`;
  const { table, conditions } = holdersIn(selection);
  const all = [...conditions, sql`jsonb_typeof(budget) = 'object'`];
  return sql`select ${columns} from ${table} where ${sql.join(all, sql` and `)}`;
}

interface Holders {
  table: RawBuilder<unknown>;
  conditions: RawBuilder<unknown>[];
}

function holdersIn(selection: BudgetSelection): Holders {
  const { accountId, scope, userId, search } = selection;
  switch (scope) {
    case 'account':
      return { table: sql`accounts`, conditions: [sql`id = ${accountId}`] };
    case 'project': {
      const conditions = listedIn(selection, sql`projects`);
      const own = sql`(select project_id from project_members where user_id = ${userId})`;
      if (userId !== undefined) conditions.push(sql`id in ${own}`);
      if (search !== undefined) conditions.push(sql`name ilike ${`%${likeText(search)}%`}`);
      return { table: sql`projects`, conditions };
    }
    case 'key': {
      const conditions = [...listedIn(selection, sql`api_keys`), sql`revoked_at is null`];
      if (userId !== undefined) conditions.push(sql`user_id = ${userId}`);
      if (search !== undefined) conditions.push(matchesKey(search));
      return { table: sql`api_keys`, conditions };
    }
    default:
      return scope satisfies never;
  }
}

/** The part of the account's rows that the selection names. */
function listedIn({ accountId, id, after }: BudgetSelection, table: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const conditions = [sql`account_id = ${accountId}`];
  if (id !== undefined) conditions.push(sql`id = ${id}`);
  if (after !== undefined) {
    const last = sql`(select created_at, id from ${table} where id = ${after} and account_id = ${accountId})`;
    conditions.push(sql`(created_at, id) > ${last}`);
  }
  return conditions;
}

const beginning = '2000-01-01T00:00:00.000Z';

/** SQL: the start of the period of a budget. */
export function startOf(now: Date): RawBuilder<Date> {
  const since = (period: Budget['period']) => budgetPeriod(period, now).from?.toISOString() ?? beginning;
  return sql<Date>`case period when 'day' then ${since('day')}::timestamptz when 'week' then ${since('week')}::timestamptz
    when 'month' then ${since('month')}::timestamptz else ${since('total')}::timestamptz end`;
}

export function resetOf(period: Budget['period'], now: Date): Pick<BudgetProgress, 'resetsAt'> {
  const { until } = budgetPeriod(period, now);
  return until === undefined ? {} : { resetsAt: until.toISOString() };
}
