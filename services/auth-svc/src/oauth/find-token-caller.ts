import type { Caller } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { keyIdOfClient } from '@tallyport/management';
import { accountTermColumns } from '../callers/account-terms.ts';
import { callerOf, termsWithoutKey } from '../callers/caller-of.ts';
import { tokenModels } from './records.ts';
import { partOf } from './resources.ts';

/**
 * Returns the caller with this access token; `null` if it is unknown or expired, its account is suspended, or the user
 * no longer belongs to the account. The database's clock decides.
 */
export async function findTokenCaller(
  { kysely }: Database,
  { tokenHash, publicUrl }: { tokenHash: string; publicUrl: string },
): Promise<Caller | null> {
  const row = await kysely
    .selectFrom('oauth_records as token')
    .innerJoin('accounts as account', 'account.id', 'token.account_id')
    .leftJoin('memberships as place', (join) =>
      join.onRef('place.account_id', '=', 'token.account_id').onRef('place.user_id', '=', 'token.user_id'),
    )
    .select(['token.payload', 'token.expires_at', 'token.account_id', 'token.user_id'])
    .select(accountTermColumns)
    .where('token.id', '=', tokenHash)
    .where('token.model', 'in', tokenModels)
    .where('token.expires_at', '>', sql<Date>`now()`)
    .where('account.suspended_at', 'is', null)
    .where((where) => where.or([where('token.user_id', 'is', null), where('place.user_id', 'is not', null)]))
    .executeTakeFirst();
  if (row === undefined || row.account_id === null || row.expires_at === null) return null;
  const { payload, expires_at: endsAt, account_id: accountId, user_id: userId, ...terms } = row;
  const { aud, scope, clientId } = payload;
  const resource = partOf(publicUrl, aud);
  if (resource === undefined) return null;
  const id = keyIdOfClient(String(clientId), userId);
  return {
    ...callerOf(termsWithoutKey({ id, accountId, endsAt }, terms)),
    oauth: { resource, scopes: typeof scope === 'string' ? scope.split(' ') : [] },
  };
}
