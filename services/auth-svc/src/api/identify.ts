import { GatewayError } from '@switchyard/contracts';
import type { Database } from '@switchyard/database';
import { defaultAccountId, accountExists } from '../accounts/account.ts';
import { isWithin } from '../keys/address-ranges.ts';
import { findKey, type FoundKey } from '../keys/find-key.ts';
import type { Attempts } from '../sessions/attempts.ts';
import { checkJsonCall, type RequestOrigin } from '../sessions/csrf.ts';
import type { SignedInUser } from '../sessions/find-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ApiCaller } from './caller.ts';

/** What a request says about who sends it. */
export interface ApiCredentials {
  readonly keyHash: string | undefined;
  /** Only where no key is sent: with a key nobody means the cookie. */
  readonly sessionToken: string | undefined;
  /** The account that is meant, for who belongs to several. */
  readonly account: string | undefined;
  /** The client's, as edge saw it. */
  readonly address: string;
  readonly origin: RequestOrigin;
  /** Whether it may change something: then a cookie alone does not do. */
  readonly changes: boolean;
}

/** Throws when the credentials are wrong or not enough; `undefined` when there are none. `origin` is our own. */
export type Identify = (credentials: ApiCredentials, origin: string) => Promise<ApiCaller | undefined>;

export interface IdentifyNeeds {
  database: Database;
  sessions: Sessions;
  attempts: Attempts;
}

export function createIdentify({ database, sessions, attempts }: IdentifyNeeds): Identify {
  return async ({ keyHash, sessionToken, account, address, ...request }, origin) => {
    if (keyHash !== undefined) {
      const key = await knownKey({ database, attempts }, { keyHash, address });
      return callerOfKey(database.kysely, { key, address, account });
    }
    const signedIn = sessionToken === undefined ? undefined : await sessions.find(sessionToken);
    if (signedIn === undefined) return undefined;
    if (request.changes) checkJsonCall(request.origin, { origin, csrfToken: signedIn.csrfToken });
    return callerOfSession(database, { signedIn, account });
  };
}

/** What one address can make us look up that is not there is bounded: nobody looks at keys before they come here. */
async function knownKey(
  { database, attempts }: Pick<IdentifyNeeds, 'database' | 'attempts'>,
  { keyHash, address }: { keyHash: string; address: string },
): Promise<FoundKey> {
  await attempts.count('unknown_key', address);
  let isUnknown = false;
  try {
    const key = await findKey(database.kysely, keyHash);
    isUnknown = key === undefined;
    if (key === undefined) throw unknownKey();
    return key;
  } finally {
    if (!isUnknown) await attempts.giveBack('unknown_key', address);
  }
}

/** Who an admin key stands for; of another account than its own only where it runs the installation. */
async function callerOfKey(
  kysely: Database['kysely'],
  { key, address, account }: { key: FoundKey; address: string; account: string | undefined },
): Promise<ApiCaller> {
  if (!key.isAdmin) throw notAdmin();
  if (key.allowedAddresses && !isWithin(address, key.allowedAddresses)) throw wrongAddress();
  const operator = key.accountId === defaultAccountId;
  const caller: ApiCaller = {
    actor: `key:${key.id}`,
    accountId: key.accountId,
    role: operator ? 'owner' : 'admin',
    operator,
  };
  return account === undefined || account === caller.accountId ? caller : elsewhere(kysely, caller, account);
}

/** Who is signed in, in the account named or else the first of theirs. */
export async function callerOfSession(
  { kysely }: Database,
  { signedIn, account }: { signedIn: SignedInUser; account: string | undefined },
): Promise<ApiCaller> {
  const { userId, memberships } = signedIn;
  const operator = memberships.some(({ accountId, role }) => accountId === defaultAccountId && role === 'owner');
  const place = account === undefined ? memberships[0] : memberships.find(({ accountId }) => accountId === account);
  const who = { actor: `user:${userId}`, userId, operator } as const;
  if (place) return { ...who, accountId: place.accountId, role: place.role };
  if (account === undefined) throw nowhere();
  return elsewhere(kysely, { ...who, accountId: defaultAccountId, role: 'owner' }, account);
}

/** Operators may act in every account; for everybody else there is no account but their own. */
async function elsewhere(kysely: Database['kysely'], caller: ApiCaller, account: string): Promise<ApiCaller> {
  if (!caller.operator || !(await accountExists(kysely, account))) {
    throw new GatewayError('not_found', 'There is no such account. See which are yours: GET /api/v1/session');
  }
  return { ...caller, accountId: account, role: 'owner' };
}

const unknownKey = (): GatewayError =>
  new GatewayError('invalid_api_key', 'This API key is unknown, revoked or expired. Check it, or create a new one.');

const notAdmin = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This key may not manage anything. Use an admin key, or sign in: npm run key -- create <name> --admin',
  );

const wrongAddress = (): GatewayError =>
  new GatewayError('permission_denied', 'This key may not be used from this address. Ask who made it to allow it.');

const nowhere = (): GatewayError =>
  new GatewayError('permission_denied', 'You belong to no account. Ask an admin of one to invite you.');
