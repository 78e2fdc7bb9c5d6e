import { type Database, type Queries, sql } from '@tallyport/database';

/**
 * A refresh token can be used again for this long after its first use: two windows of a client may refresh at once, and
 * a response may be lost. Later reuse ends the grant.
 */
const leewaySeconds = 20;

const leewayBegan = sql<Date>`now() - make_interval(secs => ${leewaySeconds}::int)`;

export const justUsed = sql<boolean>`coalesce(consumed_at > ${leewayBegan}, false)`;

/** Records the use of a refresh token. Resolves with `false` if its leeway is over, or it has ended. */
export const useRefreshToken = (kysely: Database['kysely'], tokenHash: string): Promise<boolean> =>
  kysely.transaction().execute(async (transaction) => {
    const found = await refreshTokens(transaction).select('grant_id').where('id', '=', tokenHash).executeTakeFirst();
    if (found === undefined) return false;
    const { grant_id: grantId } = found;
    // Of two branches that are used at the same time, one is first and ends the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${grantId}, 43))`.execute(transaction);
    const used = await unused(transaction)
      .where('id', '=', tokenHash)
      .set({ consumed_at: sql`now()` })
      .executeTakeFirst();
    if (used.numUpdatedRows === 0n) return isInLeeway(transaction, tokenHash);
    await unused(transaction).where('grant_id', '=', grantId).set({ consumed_at: leewayBegan }).execute();
    return true;
  });

const refreshTokens = (queries: Queries) => queries.selectFrom('oauth_records').where('model', '=', 'RefreshToken');

/**
 * A grant has one unused token. Older versions made another for each concurrent use; such a branch counts as used before
 * the leeway, so that using it ends the grant.
 */
const unused = (queries: Queries) =>
  queries.updateTable('oauth_records').where('model', '=', 'RefreshToken').where('consumed_at', 'is', null);

const isInLeeway = async (queries: Queries, tokenHash: string): Promise<boolean> =>
  (await refreshTokens(queries).select('id').where('id', '=', tokenHash).where(justUsed).executeTakeFirst()) !==
  undefined;
