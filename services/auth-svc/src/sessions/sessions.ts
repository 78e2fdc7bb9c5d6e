import { GatewayError } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { longestPassword, type Passwords } from '../users/passwords.ts';
import { replacePassword } from '../users/replace-password.ts';
import { findPassword, keepPassword } from '../users/users.ts';
import { orUnavailable } from '../database/database-away.ts';
import { makeId } from '../database/make-id.ts';
import type { Attempts } from './attempts.ts';
import { findSession, type SignedInUser } from './find-session.ts';
import { guardGuess } from './guard-guess.ts';
import { hashToken, makeToken, type SessionToken } from './token.ts';

export interface SignIn {
  email: string;
  password: string;
  /** The client's, as edge saw it. */
  address: string;
}

export interface Sessions {
  /** Throws 401 for wrong credentials, 429 when tried too often, 503 while the database is away. */
  signIn(signIn: SignIn): Promise<SessionToken>;
  /** For whoever has just proved who they are in another way, such as a link that works once. */
  begin(userId: string): Promise<SessionToken>;
  /** Who that is; `undefined` when the session has ended or never was. */
  find(token: string): Promise<SignedInUser | undefined>;
  /** Ends all sessions of theirs, and begins a new one for whoever did it. */
  changePassword(change: { email: string; current: string; new: string; address: string }): Promise<SessionToken>;
  end(token: string): Promise<void>;
  endAll(userId: string): Promise<void>;
}

export interface SessionsNeeds {
  database: Database;
  passwords: Passwords;
  attempts: Attempts;
}

const longestMs = 7 * 24 * 3600_000;
/** Of one person; the oldest ends when there would be more. */
const mostSessions = 50;

/** Sessions in the database: every replica knows them, and one that has ended is unknown everywhere with the next request. */
export function createSessions({ database: { kysely }, passwords, attempts }: SessionsNeeds): Sessions {
  async function begin(userId: string) {
    const token = makeToken();
    const expiresAt = new Date(Date.now() + longestMs);
    const values = { id: makeId('session'), token_hash: hashToken(token), user_id: userId, expires_at: expiresAt };
    await kysely.insertInto('sessions').values(values).execute();
    await endOldest(kysely, userId);
    return { token, expiresAt };
  }

  async function checkPassword({ email, password }: SignIn): Promise<string> {
    if (password.length > longestPassword) throw wrongCredentials();
    const user = await findPassword(kysely, email);
    const { matches, outdated } = await passwords.verify(password, user?.passwordHash);
    if (!matches || user === undefined) throw wrongCredentials();
    if (outdated) await keepPassword(kysely, { userId: user.id, passwordHash: await passwords.hash(password) });
    return user.id;
  }

  async function proveWho(signIn: SignIn): Promise<string> {
    const email = signIn.email.trim().toLowerCase();
    return guardGuess(attempts, { email, address: signIn.address }, () => checkPassword({ ...signIn, email }));
  }

  return {
    signIn: orUnavailable(async (signIn) => begin(await proveWho(signIn))),
    changePassword: orUnavailable(async ({ email, current, address, new: password }) => {
      const userId = await proveWho({ email, password: current, address });
      const passwordHash = await passwords.hash(password);
      await kysely.transaction().execute((transaction) => replacePassword(transaction, { userId, passwordHash }));
      return begin(userId);
    }),
    begin: orUnavailable(begin),
    find: orUnavailable((token) => findSession(kysely, token)),
    end: orUnavailable(async (token) => {
      await kysely.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
    }),
    endAll: orUnavailable(async (userId) => {
      await kysely.deleteFrom('sessions').where('user_id', '=', userId).execute();
    }),
  };
}

async function endOldest(kysely: Database['kysely'], userId: string): Promise<void> {
  const surplus = kysely
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(mostSessions);
  await kysely.deleteFrom('sessions').where('id', 'in', surplus).execute();
}

/** The same sentence whether or not there is such a person. */
const wrongCredentials = (): GatewayError =>
  new GatewayError('invalid_credentials', 'The e-mail address or the password is wrong. Check both and try again.');
