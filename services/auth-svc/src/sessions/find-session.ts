import { type Database, type MemberRole, sql } from '@switchyard/database';
import { csrfTokenOf, hashToken } from './token.ts';

export interface Membership {
  accountId: string;
  accountName: string;
  role: MemberRole;
}

export interface SignedInUser {
  sessionId: string;
  userId: string;
  email: string;
  csrfToken: string;
  /** Accounts that are suspended are left out. */
  memberships: readonly Membership[];
}

const idleHours = 12;
/** Written down once a minute, not with every request. */
const seenMinutes = 1;

const idleLimit = sql<Date>`now() - make_interval(hours => ${idleHours}::int)`;
const seenLimit = sql<Date>`now() - make_interval(mins => ${seenMinutes}::int)`;

/** Who that is, until the session ends or is left alone for half a day. One row per membership; one without any where there is none. */
export async function findSession(kysely: Database['kysely'], token: string): Promise<SignedInUser | undefined> {
  const rows = await kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('memberships', 'memberships.user_id', 'users.id')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.id', '=', 'memberships.account_id').on('accounts.suspended_at', 'is', null),
    )
    .select((select) => [
      'sessions.id as sessionId',
      'users.id as userId',
      'users.email',
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
  if (first === undefined) return undefined;
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
