import { mostEndUsers, noEndUser, otherEndUsers, type UsageRecord } from '@tallyport/contracts';
import { type Queries, type RawBuilder, sql } from '@tallyport/database';
import { addToEndUserSums } from './end-user-sums.ts';
import { bucketOf } from './histogram.ts';
import { requestCounts } from './sums.ts';
import { allTokens } from './usage-columns.ts';
import { answered } from './write-tallies.ts';

/** Whether records are counted in the sums of end users. */
export const haveEndUsers = (records: readonly UsageRecord[]): boolean =>
  records.some(({ endUser, details }) => endUser !== undefined || details?.endUserBudget !== undefined);

interface NamedUser {
  account_id: string;
  month: string;
  end_user: string;
  /** Its budget is its own, so that its sums must be. */
  has_budget: boolean;
}

/** Gives sums of their own to the end users of these records, as far as their accounts may have more. */
export async function admitEndUsers(queries: Queries, records: readonly UsageRecord[]): Promise<void> {
  const unknown = await unknownUsers(queries, namedIn(records));
  const byMonth = [...Map.groupBy(unknown, ({ account_id, month }) => `${account_id} ${month}`)];
  // In one order, so that replicas wait for each other without a deadlock.
  for (const [place, users] of byMonth.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(queries);
    await admitTo(queries, users);
  }
}

function namedIn(records: readonly UsageRecord[]): NamedUser[] {
  const named = new Map<string, NamedUser>();
  for (const { accountId, at, endUser, details } of records) {
    if (endUser === undefined || details?.endUserBudget === 'shared') continue;
    const month = `${at.slice(0, 7)}-01T00:00:00.000Z`;
    const key = JSON.stringify([accountId, month, endUser]);
    const has_budget = details?.endUserBudget === 'own' || named.get(key)?.has_budget === true;
    named.set(key, { account_id: accountId, month, end_user: endUser, has_budget });
  }
  return [...named.values()];
}

const rowsOf = (users: readonly NamedUser[], alias: 'named' | ''): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${JSON.stringify(users)}::text::jsonb)
    as ${sql.raw(alias)} (account_id text, month timestamptz, end_user text, has_budget boolean)`;

async function unknownUsers(queries: Queries, named: readonly NamedUser[]): Promise<NamedUser[]> {
  const { rows } = await sql<{ place: number }>`
    select place::int - 1 as place
    from rows from (${rowsOf(named, '')}) with ordinality as named (account_id, month, end_user, has_budget, place)
    where not exists (select from end_users as known where known.account_id = named.account_id
      and known.month = named.month and known.end_user = named.end_user)`.execute(queries);
  return rows.flatMap(({ place }) => named[place] ?? []);
}

/** All of one account and month, which is locked. */
async function admitTo(queries: Queries, users: readonly NamedUser[]): Promise<void> {
  const [first] = users;
  if (first === undefined) return;
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from end_users
    where account_id = ${first.account_id} and month = ${first.month}::timestamptz`.execute(queries);
  const room = Math.max(0, mostEndUsers - Number(rows[0]?.count ?? 0));
  const [budgeted, others] = [users.filter((user) => user.has_budget), users.filter((user) => !user.has_budget)];
  const admitted = [...budgeted, ...others.slice(0, Math.max(0, room - budgeted.length))];
  await sql`insert into end_users (account_id, month, end_user)
    select account_id, month, end_user from ${rowsOf(admitted, 'named')} on conflict do nothing`.execute(queries);
}

/** Adds new records (`fresh`) to the sums of their end users by hour, in an order that is the same for all replicas. */
export const addToEndUsers: RawBuilder<unknown> = sql`end_user_hours as (${addToEndUserSums(
  'end_user_hours',
  sql.raw(`select fresh.account_id,
    case when fresh.end_user is null then '${noEndUser}' else coalesce(known.end_user, '${otherEndUsers}') end,
    date_trunc('hour', fresh.at, 'UTC'), fresh.key_id, coalesce(fresh.project_id, ''),
    ${requestCounts.requests}, sum(${allTokens}),
    coalesce(sum(cost), 0), coalesce(sum(cost) filter (where own_key), 0), ${requestCounts.failed},
    coalesce(histogram_of(array_agg(${bucketOf('duration_ms')}) filter (where ${answered}),
      array_agg(1::bigint) filter (where ${answered})), '{}')
  from fresh left join end_users as known on fresh.account_id = known.account_id
    and date_trunc('month', fresh.at, 'UTC') = known.month and fresh.end_user = known.end_user
    and fresh.details->>'endUserBudget' is distinct from 'shared'
  where fresh.end_user is not null or fresh.details->>'endUserBudget' is not null
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`),
)})`;
