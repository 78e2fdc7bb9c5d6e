import { type Queries, sql } from '@tallyport/database';
import { deleteInPortions, inPortions } from './delete-in-portions.ts';
import { addToEndUserSums } from './end-user-sums.ts';
import { dayMs } from './days.ts';

/** Budgets read the hours of up to four days. */
const hoursKeptMs = 7 * dayMs;
/** Budgets count for up to a month, also if records are deleted earlier. */
const daysKeptMs = 32 * dayMs;

/** Adds up the hours of past weeks by day, and deletes names and sums with the records that they are from. */
export async function tidyEndUsers(queries: Queries, { now, oldest }: { now: Date; oldest: Date }): Promise<void> {
  await moveToDays(queries, startOfDay(now.getTime() - hoursKeptMs));
  const before = startOfDay(Math.min(oldest.getTime(), now.getTime() - daysKeptMs));
  await deleteInPortions(queries, 'end_user_days', sql`at < ${before}::timestamptz`);
  await deleteInPortions(queries, 'end_users', sql`month + interval '1 month' <= ${before}::timestamptz`);
}

const startOfDay = (ms: number): string => new Date(Math.floor(ms / dayMs) * dayMs).toISOString();

async function moveToDays(queries: Queries, before: string): Promise<void> {
  await inPortions(async (most) => {
    const { rows } = await sql<{ count: number }>`
      with moved as (
        delete from end_user_hours where ctid = any(array(
          select ctid from end_user_hours where at < ${before}::timestamptz limit ${most}))
        returning *
      ), days as (${addToEndUserSums('end_user_days', daysOfMoved)})
      select count(*)::int as count from moved`.execute(queries);
    return rows[0]?.count ?? 0;
  });
}

const daysOfMoved = sql`
  select account_id, end_user, date_trunc('day', at, 'UTC'), key_id, project_id,
    sum(requests), sum(tokens), sum(cost), sum(own_key_cost), sum(failed), sum_histograms(duration)
  from moved group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`;
