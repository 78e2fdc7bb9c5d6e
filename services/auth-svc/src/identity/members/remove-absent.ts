import { type Database, type Queries, sql } from '@tallyport/database';
import { lockAccount } from '../../database/lock-account.ts';
import { endMembership } from '../../accounts/members.ts';
import type { SignInProvider } from '../document/read-identity.ts';

/** The limit per round; the rest waits for the next. */
const batch = 100;

type Absence = Pick<SignInProvider, 'id' | 'removeAfterDays'>;

/**
 * Ends memberships that the provider gave to people who have not signed in for its number of days, with their keys and
 * applications: a person who left the company no longer signs in. Returns the hashes of keys and tokens that ended.
 */
export async function removeAbsent({ kysely }: Database, { id, removeAfterDays: days }: Absence): Promise<string[]> {
  if (days === undefined) return [];
  const found = await absentMembers(kysely, { id, days }).limit(batch).execute();
  const ended: string[] = [];
  for (const { accountId, userId } of found) {
    const hashes = await kysely.transaction().execute(async (transaction) => {
      await lockAccount(transaction, accountId);
      // The person may have signed in meanwhile.
      const still = absentMembers(transaction, { id, days }).where('memberships.user_id', '=', userId);
      const member = await still.where('memberships.account_id', '=', accountId).executeTakeFirst();
      if (member === undefined) return [];
      const change = { accountId, userId, actor: `identity:${id}` } as const;
      return endMembership(transaction, change, { role: member.role, keepKeys: false });
    });
    ended.push(...hashes);
  }
  return ended;
}

const absentMembers = (queries: Queries, { id, days }: { id: string; days: number }) =>
  queries
    .selectFrom('memberships')
    .select(['memberships.account_id as accountId', 'memberships.user_id as userId', 'memberships.role'])
    .where('memberships.identity_provider', '=', id)
    .where(
      sql<boolean>`not exists (select from user_identities where user_identities.user_id = memberships.user_id
        and last_sign_in_at > now() - make_interval(days => ${days}::int))`,
    );
