import { randomUUID } from 'node:crypto';
import { type Database, type Queries, sql } from '@tallyport/database';
import type { Secret, Secrets } from '@tallyport/management-server';
import { idleLimit } from '../../sessions/find-session.ts';
import { refreshTokenPlace, secondsFromNow } from '../../sessions/provider-session.ts';
import { recordSession } from '../../sessions/record-session.ts';

/** A session whose provider one replica asks at present. */
export interface DueSession {
  id: string;
  userId: string;
  /** The id of the provider. */
  provider: string;
  /** Changes of a replica whose claim was taken over have no effect. */
  claim: string;
}

/** Longer than a check takes at most. After it, a check whose replica has ended is due again. */
const claimSeconds = 60;

/** Claims sessions of these providers whose check is due; replicas claim different ones. */
export async function claimDue(
  { kysely }: Database,
  { providers, limit }: { providers: readonly string[]; limit: number },
): Promise<DueSession[]> {
  if (providers.length === 0) return [];
  const claim = randomUUID();
  const due = kysely
    .selectFrom('sessions')
    .select('id')
    .where('check_at', '<=', sql<Date>`now()`)
    .where('identity_provider', 'in', providers)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_seen_at', '>', idleLimit)
    .orderBy('check_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const claimed = await kysely
    .updateTable('sessions')
    .set({ check_claim: claim, check_at: secondsFromNow(claimSeconds) })
    .where('id', 'in', due)
    .returning(['id', 'user_id as userId', 'identity_provider as provider'])
    .execute();
  return claimed.map(({ id, userId, provider }) => ({ id, userId, provider: provider ?? '', claim }));
}

/** Stores the token that replaces the one that was sent, unless the session has ended or another replica asks. */
export const keepRotatedToken = (
  { kysely }: Database,
  secrets: Pick<Secrets, 'keep'>,
  { session, refreshToken }: { session: DueSession; refreshToken: Secret },
): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    const claimed = transaction.selectFrom('sessions').select('id').where('id', '=', session.id);
    const still = await claimed.where('check_claim', '=', session.claim).forUpdate().executeTakeFirst();
    if (still) await secrets.keep(transaction, refreshTokenPlace(session.id), refreshToken);
  });

/** Plans the next check after the provider has answered. */
export const planNext = ({ kysely }: Database, session: DueSession, seconds: number): Promise<unknown> =>
  ofClaim(kysely, session)
    .set({ check_at: secondsFromNow(seconds), check_claim: null, unanswered_since: null })
    .execute();

/** Plans the next attempt after the provider has not answered. */
export const planRetry = ({ kysely }: Database, session: DueSession, seconds: number): Promise<unknown> =>
  ofClaim(kysely, session)
    .set({ check_at: secondsFromNow(seconds), check_claim: null, unanswered_since: unansweredSince })
    .execute();

const ofClaim = (queries: Queries, { id, claim }: DueSession) =>
  queries.updateTable('sessions').where('id', '=', id).where('check_claim', '=', claim);

/** Ends the session, if its provider has not answered for this time. Resolves with whether it has ended. */
export const endUnanswered = ({ kysely }: Database, session: DueSession, graceMinutes: number): Promise<boolean> => {
  const isOver = sql<boolean>`${unansweredSince} <= now() - make_interval(mins => ${graceMinutes}::int)`;
  return kysely.transaction().execute((transaction) => endClaimed(transaction, session, isOver));
};

/** Ends the session. */
export const endChecked = ({ kysely }: Database, session: DueSession): Promise<boolean> =>
  kysely.transaction().execute((transaction) => endClaimed(transaction, session));

const unansweredSince = sql<Date>`coalesce(unanswered_since, now())`;

/** Ends a session that this replica still has the claim for. Resolves with whether it has ended. */
export async function endClaimed(
  transaction: Queries,
  { id, claim, userId, provider }: DueSession,
  condition = sql<boolean>`true`,
): Promise<boolean> {
  const ended = transaction.deleteFrom('sessions').where('id', '=', id).where('check_claim', '=', claim);
  const session = await ended.where(condition).returning('id').executeTakeFirst();
  if (session === undefined) return false;
  await recordSession(transaction, { userId, action: 'session.ended', provider, actor: `identity:${provider}` });
  return true;
}
