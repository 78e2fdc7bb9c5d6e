import { isIPv6 } from 'node:net';
import { createLocalWindows, rateLimited } from '@switchyard/limits';
import { LRUCache } from 'lru-cache';

/** One look-up of a key that this process does not know. */
export interface StrangerLookUp {
  /** Nobody knows the key. */
  failed(): void;
  done(): void;
}

export interface StrangerGuard {
  /** Throws `rate_limit_exceeded` when the address has shown too many unknown keys, or waits for too many at once. */
  enter(address: string): StrangerLookUp;
}

export interface StrangerGuardOptions {
  /** Unknown keys of one address per minute; 0 is no limit. */
  unknownPerMinute: number;
  onRefused(address: string): void;
  now?: () => number;
}

const windowMs = 60_000;
const maxAddresses = 10_000;
/** Look-ups of strangers of one address under way: more are made up, or will be here again in a moment. */
const maxWaiting = 200;

/** Bounds what a flood of made-up keys can make auth-svc and its database do. Counts of this process alone. */
export function createStrangerGuard({ unknownPerMinute, onRefused, ...rest }: StrangerGuardOptions): StrangerGuard {
  const failures = createLocalWindows({ windowMs, maxNames: maxAddresses, ...rest });
  const waiting = new LRUCache<string, { count: number }>({ max: maxAddresses });

  /** The last refusal, for all who are told the same second: see credentials. */
  let last = { seconds: 0, error: tooMany(0) };

  function refuse(address: string, retryAfterMs: number): never {
    onRefused(address);
    const seconds = Math.ceil(retryAfterMs / 1000);
    if (seconds !== last.seconds) last = { seconds, error: tooMany(seconds) };
    throw last.error;
  }

  return {
    enter(address) {
      const block = addressBlock(address);
      if (unknownPerMinute === 0) return free;
      const { used, resetMs } = failures.look(block);
      if (used >= unknownPerMinute) refuse(address, resetMs);
      const under = waiting.get(block) ?? { count: 0 };
      if (under.count >= maxWaiting) refuse(address, 1_000);
      under.count += 1;
      waiting.set(block, under);
      return { failed: () => failures.add(block), done: () => void (under.count -= 1) };
    },
  };
}

const tooMany = (seconds: number) => rateLimited('Too many unknown API keys came from your address.', seconds * 1000);

const free: StrangerLookUp = { failed: () => {}, done: () => {} };

/** Whoever has one IPv6 address has 2^64 of them. */
export const addressBlock = (address: string): string => (isIPv6(address) ? firstHalf(address) : address);

function firstHalf(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
