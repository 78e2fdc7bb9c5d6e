import type { Role } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { csrfTokenOf, hashToken } from '@tallyport/management-server';
import { emailColumn } from '../users/users.ts';

interface Membership {
  accountId: string;
  accountName: string;
  role: Role;
}

export interface SignedInUser {
  sessionId: string;
  userId: string;
  email: string;
  csrfToken: string;
  /** Suspended accounts are omitted. */
  memberships: readonly Membership[];
}

const idleHours = 12;
/** The last use is written at most once a minute. */
const seenMinutes = 1;

/** Sessions that were last used before this time have ended. */
export const idleLimit = sql<Date>`now() - make_interval(hours => ${idleHours}::int)`;
const seenLimit = sql<Date>`now() - make_interval(mins => ${seenMinutes}::int)`;

/**
 * Finds the user of a session that has not expired or been idle for half a day. The query returns a row per membership,
 * or one without any.
 */
export async function findSession(
  kysely: Database['kysely'],
  token: string,
  accepts: (provider: string | null) => boolean = () => true,
): Promise<SignedInUser | undefined> {
  const rows = await kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('memberships', 'memberships.user_id', 'users.id')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.id', '=', 'memberships.account_id').on('accounts.suspended_at', 'is', null),
    )
    .select((select) => [
      'sessions.id as sessionId',
      'sessions.identity_provider as provider',
      'users.id as userId',
      emailColumn.as('email'),
      'accounts.id as accountId',
      'accounts.name as accountName',
      'memberships.role',
      select('sessions.last_seen_at', '<', seenLimit).as('stale'),
    ])
    .where('sessions.token_hash', '=', hashToken(token))
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('sessions.last_seen_at', '>', idleLimit)
    .orderBy('memberships.created_at')
    .orderBy('memberships.account_id')
    .execute();
  const [first] = rows;
  if (first === undefined || !accepts(first.provider)) return undefined;
  const { sessionId, userId, email } = first;
  if (first.stale) await touch(kysely, sessionId);
  const memberships = rows.flatMap(({ accountId, accountName, role }) =>
    accountId !== null && accountName !== null && role !== null ? [{ accountId, accountName, role }] : [],
  );
  return { sessionId, userId, email, csrfToken: csrfTokenOf(token), memberships };
}

async function touch(kysely: Database['kysely'], sessionId: string): Promise<void> {
  await kysely
    .updateTable('sessions')
    .set({ last_seen_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .execute();
}
