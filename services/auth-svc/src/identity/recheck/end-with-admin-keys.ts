import type { Database } from '@tallyport/database';
import { lockAccount } from '../../database/lock-account.ts';
import { revokeKeysOf } from '../../keys/revoke-key.ts';
import { type DueSession, endClaimed } from './due-sessions.ts';

/**
 * Ends the session, with the admin keys of the person in the accounts that the provider gave them. Returns the hashes of
 * the keys, or `undefined` if the session had ended before.
 */
export const endWithAdminKeys = ({ kysely }: Database, session: DueSession): Promise<string[] | undefined> =>
  kysely.transaction().execute(async (transaction) => {
    const { userId, provider } = session;
    const places = await transaction
      .selectFrom('memberships')
      .select('account_id as accountId')
      .where('user_id', '=', userId)
      .where('identity_provider', '=', provider)
      .orderBy('account_id')
      .execute();
    // Accounts before sessions, as elsewhere.
    for (const { accountId } of places) await lockAccount(transaction, accountId);
    // A replica that was late may have sent a token that another one has replaced.
    if (!(await endClaimed(transaction, session))) return undefined;
    const ended: string[] = [];
    for (const { accountId } of places) {
      const keys = { accountId, userId, actor: `identity:${provider}`, onlyAdmin: true } as const;
      ended.push(...(await revokeKeysOf(transaction, keys)));
    }
    return ended;
  });
