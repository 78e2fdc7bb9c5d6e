import { defaultAccountId, GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { createFairTurns, type FairTurns, networkOf } from '@tallyport/limits';
import type { ApiCaller, Attempts, Identify } from '@tallyport/management-server';
import { accountExists } from '../../accounts/account.ts';
import { isWithin } from '../../keys/address-ranges.ts';
import { findKey, type FoundKey } from '../../keys/find-key.ts';
import { checkJsonCall } from '../../sessions/csrf.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import type { Sessions } from '../../sessions/sessions.ts';

interface IdentifyTools {
  database: Database;
  sessions: Sessions;
  attempts: Attempts;
}

/** Limits concurrent look-ups for all addresses that sent too many unknown keys, as edge does. */
const slowTurns = { atOnce: 8, maxWaiting: 200, waitMs: 5_000 };

export function createIdentify({ database, sessions, attempts }: IdentifyTools): Identify {
  const turns = createFairTurns(slowTurns);
  return async ({ keyHash, sessionToken, account, address, ...request }, origin) => {
    if (keyHash !== undefined) {
      const key = await knownKey({ database, attempts, turns }, { keyHash, address });
      return callerOfKey(database.kysely, { key, address, account });
    }
    const signedIn = sessionToken === undefined ? undefined : await sessions.find(sessionToken);
    if (signedIn === undefined) return undefined;
    if (request.changes) checkJsonCall(request.origin, { origin, csrfToken: signedIn.csrfToken });
    return callerOfSession(database, { signedIn, account });
  };
}

interface KeyTools extends Pick<IdentifyTools, 'database' | 'attempts'> {
  turns: FairTurns;
}

interface ShownKey {
  keyHash: string;
  address: string;
}

/** Looks a key up. Limits unknown keys per address, because edge does not check keys of this API. */
async function knownKey(tools: KeyTools, { keyHash, address }: ShownKey): Promise<FoundKey> {
  const { database, attempts } = tools;
  try {
    await attempts.count('unknown_key', address);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return knownKeyInTurn(tools, { keyHash, address, refusal: error });
  }
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

/**
 * Beyond the limit, keys of an address are looked up one at a time. Valid keys are slowed down but not refused, unless
 * very many wait.
 */
async function knownKeyInTurn(
  { database, turns }: KeyTools,
  { keyHash, address, refusal }: ShownKey & { refusal: GatewayError },
): Promise<FoundKey> {
  const end = await turns.wait(networkOf(address));
  if (end === undefined) throw refusal;
  try {
    const key = await findKey(database.kysely, keyHash);
    if (key === undefined) throw refusal;
    return key;
  } finally {
    end();
  }
}

/** The caller of an admin key. Only keys of the default account may act in other accounts. */
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
  return account === undefined || account === caller.accountId ? caller : inOtherAccount(kysely, caller, account);
}

/** The signed-in user, in the given account or otherwise the first of theirs. */
export async function callerOfSession(
  { kysely }: Database,
  { signedIn, account }: { signedIn: SignedInUser; account: string | undefined },
): Promise<ApiCaller> {
  const { userId, memberships } = signedIn;
  const operator = memberships.some(({ accountId, role }) => accountId === defaultAccountId && role === 'owner');
  const place = account === undefined ? memberships[0] : memberships.find(({ accountId }) => accountId === account);
  const user = { actor: `user:${userId}`, userId, operator } as const;
  if (place) return { ...user, accountId: place.accountId, role: place.role };
  if (account === undefined) throw noAccount();
  return inOtherAccount(kysely, { ...user, accountId: defaultAccountId, role: 'owner' }, account);
}

/** Operators may act in every account. For all other callers, other accounts do not exist. */
async function inOtherAccount(kysely: Database['kysely'], caller: ApiCaller, account: string): Promise<ApiCaller> {
  if (!caller.operator || !(await accountExists(kysely, account))) {
    throw new GatewayError('not_found', 'This account does not exist. List your accounts: GET /api/v1/session');
  }
  return { ...caller, accountId: account, role: 'owner' };
}

const unknownKey = (): GatewayError =>
  new GatewayError('invalid_api_key', 'This API key is unknown, revoked or expired. Check it, or create a new one.');

const notAdmin = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This key is not an admin key. Sign in, or create one: npm run key -- create <name> --admin',
  );

const wrongAddress = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This key may not be used from this address. Ask the person who created it to allow the address.',
  );

const noAccount = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'You are not a member of any account. Ask an admin of an account to invite you.',
  );
