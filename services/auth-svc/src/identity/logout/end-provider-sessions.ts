import { hash } from 'node:crypto';
import { type Database, type Queries, sql } from '@tallyport/database';
import { LogoutTokenError, type LogoutRequest, longestAgeSeconds } from './logout-token.ts';

/** Twice the age that a token may have, so that it is refused for its age before it is forgotten. */
const rememberedSeconds = 2 * longestAgeSeconds;

/** Ends sessions that the provider ended. Throws LogoutTokenError if the token was used before. */
export function endProviderSessions(
  { kysely }: Database,
  { provider, request }: { provider: string; request: LogoutRequest },
): Promise<void> {
  return kysely.transaction().execute(async (transaction) => {
    await useUp(transaction, request);
    const { issuer, subject, providerSession } = request;
    const sessions = transaction.deleteFrom('sessions').where('identity_provider', '=', provider);
    if (providerSession !== undefined) {
      await sessions.where('provider_session', '=', providerSession).execute();
      return;
    }
    const users = transaction.selectFrom('user_identities').select('user_id').where('issuer', '=', issuer);
    await sessions.where('user_id', 'in', users.where('subject', '=', subject ?? '')).execute();
  });
}

async function useUp(transaction: Queries, { issuer, tokenId }: LogoutRequest): Promise<void> {
  const expires_at = sql<Date>`now() + make_interval(secs => ${rememberedSeconds}::int)`;
  const used = await transaction
    .insertInto('logout_tokens')
    .values({ token_hash: hash('sha256', `${issuer} ${tokenId}`), expires_at })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  if (used === undefined) throw new LogoutTokenError('it was used before');
}
