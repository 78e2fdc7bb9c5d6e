import { type Budget, budgetPeriod } from '@switchyard/contracts';
import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { BudgetProgress } from '@switchyard/management';
import { matchesKey } from '../keys/matches-key.ts';

export interface BudgetSelection {
  accountId: string;
  /** The budget of the account, or those of its keys. */
  scope: BudgetProgress['scope'];
  /** Only keys that this user created. */
  userId?: string | undefined;
  /** One key only. */
  keyId?: string | undefined;
  /** Text in the name of a key, or at its beginning. */
  search?: string | undefined;
  /** Only budgets of which at least this part was spent. */
  spentPercent?: number | undefined;
  /** The id of the last key of the page before. */
  cursor?: string | undefined;
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
  const column = scope === 'key' ? sql`key_id` : sql`account_id`;
  const { rows } = await sql<BudgetRow>`
    select id, name, amount::text as amount, period, trim_scale(spent)::text as spent,
      trim_scale(greatest(0, amount - spent))::text as left, percent::double precision as percent
    from (${budgetsIn(selection)}) as budgeted
    cross join lateral (
      select coalesce(sum(cost), 0) as spent from usage_days
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

function budgetsIn({ accountId, scope, userId, keyId, search, cursor }: BudgetSelection): RawBuilder<unknown> {
  const columns = sql`id, name, created_at, (budget->>'amount')::numeric as amount, budget->>'period' as period`;
  if (scope === 'account')
    return sql`select ${columns} from accounts where id = ${accountId} and jsonb_typeof(budget) = 'object'`;
  const conditions = [sql`account_id = ${accountId} and revoked_at is null and jsonb_typeof(budget) = 'object'`];
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}`);
  if (keyId !== undefined) conditions.push(sql`id = ${keyId}`);
  if (search !== undefined) conditions.push(matchesKey(search));
  if (cursor !== undefined) {
    const last = sql`(select created_at, id from api_keys where id = ${cursor} and account_id = ${accountId})`;
    conditions.push(sql`(created_at, id) > ${last}`);
  }
  return sql`select ${columns} from api_keys where ${sql.join(conditions, sql` and `)}`;
}

const beginning = '2000-01-01T00:00:00.000Z';

/** SQL: the start of the period of a budget. */
function startOf(now: Date): RawBuilder<Date> {
  const since = (period: Budget['period']) => budgetPeriod(period, now).from?.toISOString() ?? beginning;
  return sql<Date>`case period when 'day' then ${since('day')}::timestamptz when 'week' then ${since('week')}::timestamptz
    when 'month' then ${since('month')}::timestamptz else ${since('total')}::timestamptz end`;
}

function resetOf(period: Budget['period'], now: Date): Pick<BudgetProgress, 'resetsAt'> {
  const { until } = budgetPeriod(period, now);
  return until === undefined ? {} : { resetsAt: until.toISOString() };
}
