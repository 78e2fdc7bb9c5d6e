import { GatewayError, type Caller } from '@tallyport/contracts';
import { createKnownKeys, type KnownKeys, msToLive } from './known-keys.ts';
import type { UnknownKeyGuard, UnknownKeyLookUp } from './unknown-key-guard.ts';

interface AuthenticatorOptions {
  /** Asks auth-svc. `null` means that the key is unknown, revoked or expired. */
  lookUp(keyHash: string): Promise<Caller | null>;
  /** Limits the look-ups that one address can cause. */
  guard: UnknownKeyGuard;
  now?: () => number;
  date?: () => number;
}

export interface Authenticator {
  /**
   * Identifies the caller, at once if the key is known. Throws or rejects with `invalid_api_key`, `unavailable` if the
   * key cannot be checked, or `rate_limit_exceeded` after too many unknown keys from the address. Other keys from the
   * address never cause a valid key to be refused, unless its look-up has to wait behind very many.
   */
  authenticate(keyHash: string, address: () => string): Caller | Promise<Caller>;
  /** Forgets a revoked key immediately. */
  forget(keyHash: string): void;
  /** Forgets all keys of an account that has changed. */
  forgetAccount(accountId: string): void;
  /** Marks every key as stale after a notice may have been missed: each is looked up again before its next use. */
  markAllStale(): void;
}

/** A key in use is refreshed this long before its cached result expires, so that no request waits for it. */
const refreshAheadMs = 10_000;
/** How long the last known result is kept after a failed look-up. The next request retries a second later. */
const lastKnownMs = refreshAheadMs + 1_000;

/** Caches look-ups: one per key and half minute, however many requests carry it. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { lookUp, guard, now = () => performance.now(), date = Date.now } = options;
  const keys = createKnownKeys({ now, date });
  const running = new Map<string, Promise<Caller>>();

  function startLookUp(keyHash: string, unknownKeyLookUp?: UnknownKeyLookUp): Promise<Caller> {
    const lookUpResult = refresh(keyHash, { isWanted: () => running.get(keyHash) === lookUpResult, unknownKeyLookUp });
    running.set(keyHash, lookUpResult);
    const done = (): void => {
      if (running.get(keyHash) === lookUpResult) running.delete(keyHash);
    };
    lookUpResult.then(done, done);
    return lookUpResult;
  }

  /** A result that was in flight when the key was revoked is used once and not cached. */
  async function refresh(keyHash: string, { isWanted, unknownKeyLookUp }: LookUpOptions): Promise<Caller> {
    try {
      const turn = unknownKeyLookUp?.begin();
      if (turn) await turn;
      const { caller, forMs } = await find(keyHash, { lookUp, keys, date });
      if (isWanted()) keys.keep(keyHash, caller, forMs);
      if (caller) return caller;
      unknownKeyLookUp?.failed();
      throw unknownKey;
    } finally {
      unknownKeyLookUp?.done();
    }
  }

  function lookUpUnknown(keyHash: string, address: string): Promise<Caller> {
    if (keys.isUnknown(keyHash)) throw unknownKey;
    return startLookUp(keyHash, guard.enter(address));
  }

  return {
    authenticate(keyHash, address) {
      const entry = keys.caller(keyHash);
      if (entry && entry.leftMs > refreshAheadMs) return entry.caller;
      const lookUpResult = running.get(keyHash) ?? (entry ? startLookUp(keyHash) : lookUpUnknown(keyHash, address()));
      if (!entry || entry.leftMs <= 0) return lookUpResult;
      lookUpResult.catch(() => {});
      return entry.caller;
    },
    forget(keyHash) {
      keys.forget(keyHash);
      running.delete(keyHash);
    },
    forgetAccount(accountId) {
      keys.forgetAccount(accountId);
      // The accounts of running look-ups are not known yet.
      running.clear();
    },
    markAllStale() {
      keys.markAllStale();
      running.clear();
    },
  };
}

interface LookUpContext {
  lookUp: AuthenticatorOptions['lookUp'];
  keys: KnownKeys;
  date: () => number;
}

/** If a look-up fails, a known key keeps working. For an unknown one the error is reported, never `invalid_api_key`. */
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
  unknownKeyLookUp: UnknownKeyLookUp | undefined;
}

/** A shared instance, for the reason given in credentials.ts. */
const unknownKey = new GatewayError(
  'invalid_api_key',
  'This API key is unknown, revoked or expired. Check it, or create a new one.',
);
