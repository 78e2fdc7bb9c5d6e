import { type Database, type Queries, sql } from '@tallyport/database';

/**
 * A refresh token can be used again for this long after its first use: two windows of a client may refresh at once, and
 * a response may be lost. Later reuse ends the grant.
 */
const leewaySeconds = 20;

const leewayBegan = sql<Date>`now() - make_interval(secs => ${leewaySeconds}::int)`;

export const justUsed = sql<boolean>`coalesce(consumed_at > ${leewayBegan}, false)`;

/** One statement decides between concurrent calls: a call that updates no row came second. */
export async function consumeOnce(queries: Queries, named: { model: string; id: string }): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('oauth_records')
    .set({ consumed_at: sql<Date>`now()` })
    .where((where) => where.and(named))
    .where('consumed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Records the use of a refresh token. Resolves with `false` if its leeway is over, or it has ended. */
export const useRefreshToken = (kysely: Database['kysely'], tokenHash: string): Promise<boolean> =>
  kysely.transaction().execute(async (transaction) => {
    const found = await refreshTokens(transaction).select('grant_id').where('id', '=', tokenHash).executeTakeFirst();
    if (found === undefined) return false;
    const { grant_id: grantId } = found;
    // Of two branches that are used at the same time, one is first and ends the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${grantId}, 43))`.execute(transaction);
    const isFirst = await consumeOnce(transaction, { model: 'RefreshToken', id: tokenHash });
    if (!isFirst) return isInLeeway(transaction, tokenHash);
    await endBranches(transaction, grantId);
    return true;
  });

const refreshTokens = (queries: Queries) => queries.selectFrom('oauth_records').where('model', '=', 'RefreshToken');

/**
 * A grant has one unused token. Older versions made another for each concurrent use; such a branch counts as used before
 * the leeway, so that using it ends the grant.
 */
const endBranches = (queries: Queries, grantId: string | null) =>
  queries
    .updateTable('oauth_records')
    .set({ consumed_at: leewayBegan })
    .where('model', '=', 'RefreshToken')
    .where('grant_id', '=', grantId)
    .where('consumed_at', 'is', null)
    .execute();

const isInLeeway = async (queries: Queries, tokenHash: string): Promise<boolean> =>
  (await refreshTokens(queries).select('id').where('id', '=', tokenHash).where(justUsed).executeTakeFirst()) !==
  undefined;
