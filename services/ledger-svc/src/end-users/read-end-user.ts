import { type Database, type Queries, sql } from '@tallyport/database';
import type { OneEndUser } from '@tallyport/management';
import { timeText } from '../requests/examined-records.ts';
import { mostCounted } from '../requests/list-requests.ts';
import { requestCounts } from '../usage/sums.ts';
import { readDays } from './read-days.ts';

interface WantedEndUser {
  accountId: string;
  endUser: string;
  from: Date;
  /** Exclusive. */
  until: Date;
  /** The beginning of the month that the newest requests are of. */
  month: Date;
}

/** Reads the usage of an end user by day from its sums, and how its newest requests of a month went. */
export async function readEndUser({ kysely }: Database, wanted: WantedEndUser): Promise<OneEndUser> {
  const { accountId, endUser, from, until } = wanted;
  const own = sql`account_id = ${accountId} and end_user = ${endUser} and at >= ${from} and at < ${until}`;
  const [days, newest] = await Promise.all([readDays(kysely, own), readNewest(kysely, wanted)]);
  return { days: days.get(endUser) ?? [], newest };
}

interface NewestRow {
  requests: string;
  failed: string;
  p95: number | null;
  examined: string;
  since: string;
}

/** An end user may have millions of requests. The list counts as many of them. */
async function readNewest(
  queries: Queries,
  { accountId, endUser, month, until }: WantedEndUser,
): Promise<OneEndUser['newest']> {
  const { rows } = await sql<NewestRow>`
    select ${sql.raw(requestCounts.requests)} as requests, ${sql.raw(requestCounts.failed)} as failed,
      percentile_disc(0.95) within group (order by duration_ms) filter (where end_reason = 'done' and not cached) as p95,
      count(*)::text as examined, ${timeText(sql`min(at)`)} as since
    from (
      select end_reason, cached, duration_ms, at from usage_records
      where account_id = ${accountId} and end_user = ${endUser} and at >= ${month} and at < ${until}
      order by at desc limit ${mostCounted}
    ) as newest`.execute(queries);
  const [row] = rows;
  const p95 = row?.p95 ?? undefined;
  return {
    requests: Number(row?.requests ?? 0),
    failed: Number(row?.failed ?? 0),
    ...(p95 !== undefined && { p95Ms: p95 }),
    ...(Number(row?.examined) === mostCounted && { since: row?.since }),
  };
}
