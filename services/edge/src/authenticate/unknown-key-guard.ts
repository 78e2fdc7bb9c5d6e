import { createFairTurns, createLocalWindows, rateLimited, networkOf } from '@tallyport/limits';
import { entriesUpTo } from '@tallyport/store';
import { LRUCache } from 'lru-cache';

/** A look-up of a key that this process does not know yet. */
export interface UnknownKeyLookUp {
  /**
   * Resolves when the look-up may start: immediately, or one at a time if the address has shown too many unknown keys.
   * Throws `rate_limit_exceeded` if too many look-ups of the address are waiting, or this one waits for too long.
   */
  begin(): Promise<void> | undefined;
  /** Reports that the key is unknown. Throws `rate_limit_exceeded` if the address has shown too many. */
  failed(): void;
  done(): void;
}

export interface UnknownKeyGuard {
  /** Throws `rate_limit_exceeded` if too many look-ups of the address are running. */
  enter(address: string): UnknownKeyLookUp;
}

interface UnknownKeyGuardOptions {
  /** Unknown keys allowed per address and minute; 0 disables the limit. */
  unknownPerMinute: number;
  onRefused(address: string): void;
  now?: () => number;
}

const windowMs = 60_000;
const maxAddresses = 10_000;
/** Concurrent look-ups of unknown keys per address. More than this is a flood, or a client that retries in a moment. */
const maxWaiting = 200;
/**
 * Concurrent look-ups for all addresses beyond their limit. Valid keys may be among them, so they are slowed down, not
 * refused.
 */
const slowAtOnce = 8;
const slowWaitMs = 5_000;

/** Limits the load that a flood of made-up keys puts on auth-svc and its database. Counts are per process. */
export function createUnknownKeyGuard({
  unknownPerMinute,
  onRefused,
  ...rest
}: UnknownKeyGuardOptions): UnknownKeyGuard {
  const failures = createLocalWindows({ windowMs, maxNames: maxAddresses, ...rest });
  const turns = createFairTurns({ atOnce: slowAtOnce, maxWaiting, waitMs: slowWaitMs });
  const waiting = new LRUCache<string, { count: number }>(entriesUpTo(maxAddresses));

  /** The last refusal, reused within the same second for the reason given in credentials.ts. */
  let last = { seconds: 0, error: tooMany(0) };

  function refuse(address: string, retryAfterMs: number): never {
    onRefused(address);
    const seconds = Math.ceil(retryAfterMs / 1000);
    if (seconds !== last.seconds) last = { seconds, error: tooMany(seconds) };
    throw last.error;
  }

  function slowed(address: string, retryAfterMs: number): UnknownKeyLookUp {
    let end: (() => void) | undefined;
    return {
      async begin() {
        end = await turns.wait(networkOf(address));
        if (end === undefined) refuse(address, retryAfterMs);
      },
      failed: () => refuse(address, retryAfterMs),
      done: () => end?.(),
    };
  }

  return {
    enter(address) {
      const block = networkOf(address);
      if (unknownPerMinute === 0) return free;
      const { used, resetMs } = failures.look(block);
      if (used >= unknownPerMinute) return slowed(address, resetMs);
      const under = waiting.get(block) ?? { count: 0 };
      if (under.count >= maxWaiting) refuse(address, 1_000);
      under.count += 1;
      waiting.set(block, under);
      return { begin: () => undefined, failed: () => failures.add(block), done: () => void (under.count -= 1) };
    },
  };
}

const tooMany = (seconds: number) =>
  rateLimited('Too many unknown API keys were sent from your address.', seconds * 1000);

const free: UnknownKeyLookUp = { begin: () => undefined, failed: () => {}, done: () => {} };
