import { GatewayError, type Caller } from '@switchyard/contracts';
import { createKnownKeys, type KnownKeys, msToLive } from './known-keys.ts';
import type { StrangerGuard, StrangerLookUp } from './stranger-guard.ts';

export interface AuthenticatorOptions {
  /** Asks auth-svc; `null` means unknown, revoked or expired. */
  lookUp(keyHash: string): Promise<Caller | null>;
  /** Bounds what one address can make us look up. */
  guard: StrangerGuard;
  now?: () => number;
  date?: () => number;
}

export interface Authenticator {
  /**
   * Throws `invalid_api_key`, `unavailable` when it cannot be known, and `rate_limit_exceeded` when the address has shown
   * too many unknown keys. Keys that were good lately are never refused for what others of their address do.
   */
  authenticate(keyHash: string, address: () => string): Promise<Caller>;
  /** The key was revoked: forget it now. */
  forget(keyHash: string): void;
  /** Something about this account has changed: forget all its keys now. */
  forgetAccount(accountId: string): void;
  /** A change may have been missed: look every key up again. */
  doubt(): void;
}

/** A key in use is looked up again before it must be, so that none of its requests waits. */
const refreshAheadMs = 10_000;
/** What could not be looked up is asked for again after a second, by whoever needs it, and believed for as long as that may take. */
const lastKnownMs = refreshAheadMs + 1_000;

/** One look-up per key and half minute, however many requests carry it. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { lookUp, guard, now = () => performance.now(), date = Date.now } = options;
  const keys = createKnownKeys({ now, date });
  const running = new Map<string, Promise<Caller>>();

  function ask(keyHash: string, stranger?: StrangerLookUp): Promise<Caller> {
    const asked = refresh(keyHash, { isWanted: () => running.get(keyHash) === asked, stranger });
    running.set(keyHash, asked);
    const done = (): void => {
      if (running.get(keyHash) === asked) running.delete(keyHash);
    };
    asked.then(done, done);
    return asked;
  }

  /** An answer that was on its way when the key was revoked is used once and not kept. */
  async function refresh(keyHash: string, { isWanted, stranger }: LookUpOptions): Promise<Caller> {
    try {
      const { caller, forMs } = await find(keyHash, { lookUp, keys, date });
      if (isWanted()) keys.keep(keyHash, caller, forMs);
      if (caller) return caller;
      stranger?.failed();
      throw unknownKey;
    } finally {
      stranger?.done();
    }
  }

  function askForStranger(keyHash: string, address: string): Promise<Caller> {
    if (keys.isUnknown(keyHash)) throw unknownKey;
    return ask(keyHash, guard.enter(address));
  }

  return {
    async authenticate(keyHash, address) {
      const entry = keys.caller(keyHash);
      if (entry && entry.leftMs > refreshAheadMs) return entry.caller;
      const asked = running.get(keyHash) ?? (entry ? ask(keyHash) : askForStranger(keyHash, address()));
      if (!entry || entry.leftMs <= 0) return await asked;
      asked.catch(() => {});
      return entry.caller;
    },
    forget(keyHash) {
      keys.forget(keyHash);
      running.delete(keyHash);
    },
    forgetAccount(accountId) {
      keys.forgetAccount(accountId);
      // Nobody knows yet whose those are.
      running.clear();
    },
    doubt() {
      keys.doubt();
      running.clear();
    },
  };
}

interface LookUpContext {
  lookUp: AuthenticatorOptions['lookUp'];
  keys: KnownKeys;
  date: () => number;
}

/** While nobody can say, those we know go on; a stranger is told that we cannot know, never that the key is wrong. */
async function find(
  keyHash: string,
  { lookUp, keys, date }: LookUpContext,
): Promise<{ caller: Caller | null; forMs?: number }> {
  try {
    return { caller: await lookUp(keyHash) };
  } catch (error) {
    const entry = keys.caller(keyHash);
    if (!entry) throw error;
    return { caller: msToLive(entry.caller, date()) > 0 ? entry.caller : null, forMs: lastKnownMs };
  }
}

interface LookUpOptions {
  isWanted(): boolean;
  stranger: StrangerLookUp | undefined;
}

/** One for all: see credentials. */
const unknownKey = new GatewayError(
  'invalid_api_key',
  'This API key is unknown, revoked or expired. Check it, or create a new one.',
);
