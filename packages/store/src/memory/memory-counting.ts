import { LRUCache } from 'lru-cache';
import {
  boundedKey,
  checkAdditions,
  checkIncrement,
  checkPurse,
  checkRule,
  checkSharing,
  checkSpending,
  checkTtl,
} from '../arguments.ts';
import { entriesUpTo } from '../entries-up-to.ts';
import { type Purse, stepPurse } from '../purse.ts';
import { type Shares, shareOut } from '../shares.ts';
import { type SlidingWindow, spendFrom } from '../sliding-window.ts';
import type { Store } from '../store.ts';
import { type Bucket, msUntilFull, takeFrom } from '../token-bucket.ts';
import { createMemoryMembers } from './memory-members.ts';
import { createMemoryQueues } from './memory-queues.ts';
import { createMemorySets } from './memory-sets.ts';
import { createMemorySums } from './memory-sums.ts';

interface MemoryCounting {
  operations: Pick<
    Store,
    'accumulate' | 'admit' | 'increment' | 'present' | 'purse' | 'queue' | 'share' | 'spend' | 'take'
  >;
  clear(): void;
}

/** The counting operations of the in-memory store. */
export function memoryCounting(maxEntries: number, isClosed: () => boolean): MemoryCounting {
  const bounds = { ...entriesUpTo(maxEntries), ttlResolution: 0 };
  const counters = new LRUCache<string, { count: number }>(bounds);
  const buckets = new LRUCache<string, Bucket>(bounds);
  const windows = new LRUCache<string, SlidingWindow>(bounds);
  const [shares, purses] = [new LRUCache<string, Shares>(bounds), new LRUCache<string, Purse>(bounds)];
  const [sums, sets] = [createMemorySums(maxEntries), createMemorySets(isClosed)];
  const [members, queues] = [createMemoryMembers(maxEntries, isClosed), createMemoryQueues(maxEntries, isClosed)];

  const operations: MemoryCounting['operations'] = {
    async increment(key, by, ttlMs) {
      checkIncrement(by);
      checkTtl(ttlMs);
      if (isClosed()) return undefined;
      return addTo(counters, { key: boundedKey(key), by, ttlMs });
    },
    async take(key, rule) {
      checkRule(rule);
      if (isClosed()) return undefined;
      const name = boundedKey(key);
      const { bucket, taken } = takeFrom(buckets.get(name), rule, performance.now());
      buckets.set(name, bucket, { ttl: msUntilFull(bucket, rule) });
      return taken;
    },
    async spend(key, rule) {
      checkSpending(rule);
      if (isClosed()) return undefined;
      const name = boundedKey(key);
      const window = windows.get(name) ?? new Map<number, number>();
      windows.set(name, window, { ttl: rule.windowMs * 2 });
      return spendFrom(window, rule, performance.now());
    },
    async share(key, rule) {
      checkSharing(rule);
      if (isClosed()) return undefined;
      const name = boundedKey(key);
      const held: Shares = shares.get(name) ?? new Map();
      shares.set(name, held);
      return shareOut(held, rule, performance.now());
    },
    present: members.present,
    admit: sets.admit,
    queue: queues.queue,
    async purse(key, step, keepMs) {
      checkPurse(step, keepMs);
      if (isClosed()) return undefined;
      const purse: Purse = purses.get(boundedKey(key)) ?? new Map();
      purses.set(boundedKey(key), purse, { ttl: keepMs });
      return stepPurse(purse, step, Date.now());
    },
    async accumulate(key, additions, halfLifeMs) {
      checkAdditions(additions, halfLifeMs);
      return isClosed() ? undefined : sums.accumulate(boundedKey(key), additions, halfLifeMs);
    },
  };
  return {
    operations,
    clear: () =>
      [counters, buckets, windows, shares, purses, sums, sets, members, queues].forEach((each) => each.clear()),
  };
}

interface Addition {
  key: string;
  by: number;
  ttlMs: number;
}

function addTo(counters: LRUCache<string, { count: number }>, { key, by, ttlMs }: Addition): number {
  const counter = counters.get(key);
  // Changed in place, which keeps the time to live of the first increment.
  if (counter) return (counter.count += by);
  counters.set(key, { count: by }, { ttl: ttlMs });
  return by;
}
