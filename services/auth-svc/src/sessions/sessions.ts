import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { longestPassword } from '@tallyport/management';
import {
  type Attempts,
  hashToken,
  makeId,
  makeToken,
  orUnavailable,
  type Secrets,
  type SessionToken,
} from '@tallyport/management-server';
import { hashNewPassword } from '../users/hash-new-password.ts';
import type { Passwords } from '../users/passwords.ts';
import { recognise } from '../users/recognise.ts';
import { replacePassword } from '../users/replace-password.ts';
import { findPasswords, keepPassword } from '../users/users.ts';
import type { Announce } from '../bus/announce.ts';
import { keepRefreshToken, type ProviderSession, providerColumns } from './provider-session.ts';
import { recordSession } from './record-session.ts';
import { findSession, type SignedInUser } from './find-session.ts';
import { guardGuess } from './guard-guess.ts';

interface SignIn {
  email: string;
  password: string;
  /** The client's address, as edge saw it. */
  address: string;
}

interface PasswordChange {
  userId: string;
  email: string;
  current: string;
  new: string;
  address: string;
  /** Also ends the access of applications. */
  disconnectApplications: boolean;
}

export interface Sessions {
  /**
   * Throws `invalid_credentials` for wrong credentials, `rate_limit_exceeded` after too many attempts, and
   * `unavailable` while the database is not reachable.
   */
  signIn(signIn: SignIn): Promise<SessionToken>;
  /** Starts a session for a user who was authenticated in another way, for example by a link that works once. */
  begin(userId: string): Promise<SessionToken>;
  /** Starts a session for a user whom an identity provider has identified. */
  beginBy(start: { userId: string; by: ProviderSession }): Promise<SessionToken>;
  /** Finds the user of a session; `undefined` if it has ended or never existed. */
  find(token: string): Promise<SignedInUser | undefined>;
  /** Changes the password, ends all sessions of the user, and starts a new one. */
  changePassword(change: PasswordChange): Promise<SessionToken>;
  /** Resolves with the session at an identity provider to which the ended session belonged, if any. */
  end(token: string): Promise<EndedProviderSession | undefined>;
  endAll(userId: string): Promise<void>;
}

export interface EndedProviderSession {
  provider: string;
  idToken: string | null;
}

interface SessionsTools {
  database: Database;
  passwords: Passwords;
  attempts: Attempts;
  announce: Pick<Announce, 'keysEnded'>;
  secrets: Pick<Secrets, 'keep'>;
  /** Whether sessions of this identity provider are valid; `null` for sessions that a password started. */
  accepts?: ((provider: string | null) => boolean) | undefined;
}

/** Credentials to check; with `userId`, only for this user of the e-mail address. */
type Credentials = SignIn & { userId?: string };

const longestMs = 7 * 24 * 3600_000;
/** The limit per user; beyond it the oldest session ends. */
const maxSessions = 50;

/**
 * Stores sessions in the database: every replica knows them, and an ended session is unknown everywhere from the next
 * request on.
 */
export function createSessions({ database, passwords, attempts, announce, secrets, accepts }: SessionsTools): Sessions {
  const { kysely } = database;
  const hash = (userId: string, password: string) => hashNewPassword(passwords, kysely, { userId, password });

  async function begin(userId: string, by?: ProviderSession) {
    const token = makeToken();
    const expiresAt = new Date(Date.now() + (by === undefined ? longestMs : by.hours * 3600_000));
    const values = { id: makeId('session'), token_hash: hashToken(token), user_id: userId, expires_at: expiresAt };
    await kysely.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('sessions')
        .values({ ...values, ...providerColumns(by) })
        .execute();
      if (by) await keepRefreshToken(transaction, secrets, { sessionId: values.id, by });
      await recordSession(transaction, { userId, action: 'session.started', provider: by?.provider });
    });
    await endOldest(kysely, userId);
    return { token, expiresAt };
  }

  /** `undefined` for wrong credentials. */
  async function checkPassword({ email, password, userId }: Credentials): Promise<string | undefined> {
    if (password.length > longestPassword) return undefined;
    const known = (await findPasswords(kysely, email)).filter(({ id }) => userId === undefined || id === userId);
    const user = await recognise(passwords, { known, password });
    if (user?.outdated) await keepPassword(kysely, { userId: user.id, passwordHash: await hash(user.id, password) });
    return user?.id;
  }

  async function authenticate(credentials: Credentials): Promise<string> {
    const email = credentials.email.trim().toLowerCase();
    const userId = await guardGuess(attempts, { email, address: credentials.address }, () =>
      checkPassword({ ...credentials, email }),
    );
    if (userId === undefined) throw wrongCredentials();
    return userId;
  }

  return {
    signIn: orUnavailable(async (signIn) => begin(await authenticate(signIn))),
    changePassword: orUnavailable(async ({ userId, email, current, address, disconnectApplications, ...change }) => {
      await authenticate({ userId, email, password: current, address });
      const replacement = { userId, passwordHash: await hash(userId, change.new), disconnectApplications };
      announce.keysEnded(
        await kysely.transaction().execute((transaction) => replacePassword(transaction, replacement)),
      );
      return begin(userId);
    }),
    begin: orUnavailable((userId) => begin(userId)),
    beginBy: orUnavailable(({ userId, by }) => begin(userId, by)),
    find: orUnavailable((token) => findSession(kysely, token, accepts)),
    end: orUnavailable(async (token) => {
      const row = await kysely.transaction().execute(async (transaction) => {
        const ended = transaction.deleteFrom('sessions').where('token_hash', '=', hashToken(token));
        const session = await ended.returning(['user_id', 'identity_provider', 'id_token']).executeTakeFirst();
        if (session) await recordSession(transaction, { userId: session.user_id, action: 'session.ended' });
        return session;
      });
      if (row === undefined || row.identity_provider === null) return undefined;
      return { provider: row.identity_provider, idToken: row.id_token };
    }),
    endAll: orUnavailable((userId) => endAll(kysely, userId)),
  };
}

const endAll = (kysely: Database['kysely'], userId: string): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
    await recordSession(transaction, { userId, action: 'session.all_ended' });
  });

async function endOldest(kysely: Database['kysely'], userId: string): Promise<void> {
  const surplus = kysely
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(maxSessions);
  await kysely.deleteFrom('sessions').where('id', 'in', surplus).execute();
}

/** The same message for unknown users and wrong passwords. */
const wrongCredentials = (): GatewayError =>
  new GatewayError('invalid_credentials', 'The e-mail address or the password is wrong. Check both and try again.');
