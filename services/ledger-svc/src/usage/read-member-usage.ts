import { type Database, sql } from '@tallyport/database';
import { type Sums, userInKeyId } from '@tallyport/management';
import { hasRequests, type UsageQuery, usageCondition } from './read-usage.ts';
import { sumColumns, type SumsRow, sumsOf } from './sums.ts';
import { usageRelation } from './usage-relation.ts';

/** Reads the usage of the keys that each of these users created, and of OAuth clients that act for them. */
export async function readMemberUsage(
  { kysely }: Database,
  usageQuery: UsageQuery,
  userIds: readonly string[],
): Promise<(Sums & { userId: string })[]> {
  const { accountId } = usageQuery;
  const users = sql`user_id in (${sql.join(userIds)})`;
  // An ended grant leaves the key id of its client only in the sums.
  const { rows } = await sql<SumsRow & { user_id: string }>`
    with own as materialized (
      select id, user_id from api_keys where account_id = ${accountId} and ${users}
      union all select id, user_id from (
        select distinct value as id, substring(value from ${userInKeyId}) as user_id
        from usage_summary_days
        where account_id = ${accountId} and dimension = 'key' and starts_with(value, 'oauth_')
      ) as acting where ${users}
    )
    select user_id, ${sumColumns} from ${usageRelation('span', usageQuery, ['key'])} join own on own.id = key_id
    where ${usageCondition(usageQuery)} and key_id = any(array(select id from own))
    group by 1 having ${hasRequests} order by 1`.execute(kysely);
  return rows.map(({ user_id: userId, ...row }) => ({ userId, ...sumsOf(row) }));
}
