import { endUserName, mostEndUsers } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';

interface WantedNames {
  accountId: string;
  /** A part of the name; case does not count. */
  search: string;
  limit: number;
  now: Date;
}

/** Two months of those that have sums of their own. Those with a budget of their own may be more. */
const mostCompared = 4 * mostEndUsers;

/**
 * The end users of this month and the last one whose names have the text as a part, the shortest names first. One with
 * exactly this name is found in all records.
 */
export async function findEndUsers(
  { kysely }: Database,
  { accountId, search, limit, now }: WantedNames,
): Promise<string[]> {
  const name = endUserName(search);
  if (name === '') return [];
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const { rows } = await sql<{ end_user: string }>`
    with compared as (
      select end_user from end_users where account_id = ${accountId} and month >= ${lastMonth.toISOString()}::timestamptz
      limit ${mostCompared}
    ), found as (
      select end_user from compared where strpos(lower(end_user), lower(${name})) > 0
      union (select end_user from usage_records where account_id = ${accountId} and end_user = ${name} limit 1)
    )
    select end_user from found order by end_user <> ${name}, length(end_user), end_user limit ${limit}`.execute(kysely);
  return rows.map(({ end_user }) => end_user);
}
