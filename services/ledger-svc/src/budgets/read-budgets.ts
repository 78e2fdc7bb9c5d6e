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

/** The dimension of the sums that has the requests of a budget's holder, and the holder's value in it. */
const spendings = {
  account: { dimension: 'all', value: sql`''` },
  project: { dimension: 'project', value: sql`budgeted.id` },
  key: { dimension: 'key', value: sql`budgeted.id` },
} as const satisfies Record<BudgetProgress['scope'], unknown>;

/**
 * Reads budgets with what was spent of them in their current period. Periods begin at midnight, so the sums by day of
 * one dimension answer, with a row for each day: those of a key by model and provider are a hundred times as many. Requests that accounts paid for themselves are not
 * counted.
 */
export async function readBudgets(
  { kysely }: Database,
  selection: BudgetSelection,
  now: Date,
): Promise<BudgetProgress[]> {
  const { accountId, scope, spentPercent = 0, limit } = selection;
  const { dimension, value } = spendings[scope];
  // An account may have thousands of budgets: without a part that must be spent, only those of the page are added up.
  const listed = spentPercent > 0 ? sql`` : sql`order by created_at, id limit ${limit}`;
  const { rows } = await sql<BudgetRow>`
    select id, name, amount::text as amount, period, trim_scale(spent)::text as spent,
      trim_scale(greatest(0, amount - spent))::text as left, percent::double precision as percent
    from (${budgetsIn(selection)} ${listed}) as budgeted
    cross join lateral (
      select coalesce(sum(cost), 0) as spent from usage_summary_days
      where account_id = ${accountId} and dimension = ${dimension} and value = ${value} and not own_key
        and at >= ${startOf(now)}
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
