import { LRUCache } from 'lru-cache';
import { boundedKey, checkTtl, defaultMaxValueBytes } from '../arguments.ts';
import type { MarkedValue, SetIfAbsentResult, SetIfOursResult, SetResult, Store, StoreOptions } from '../store.ts';
import { createSubscriptions } from '../subscriptions.ts';
import { reportLater } from '../report-later.ts';
import { memoryCounting } from './memory-counting.ts';

/** A store in the memory of this process. With a single replica it gives the same guarantees as Redis. */
export function openMemoryStore(options: StoreOptions = {}): Store {
  const { maxValueBytes = defaultMaxValueBytes, memory = {}, onTrouble } = options;
  const { maxEntries = 20_000, maxBytes = 64 * 1024 * 1024 } = memory;
  const values = createValues({ maxEntries, maxBytes, maxValueBytes });
  const counting = memoryCounting(maxEntries, () => closed);
  const subscriptions = createSubscriptions(reportLater(onTrouble), () => {});
  let closed = false;

  return {
    ...counting.operations,
    get: async (key) => (closed ? undefined : values.get(boundedKey(key))),
    find: async (key) => (closed ? 'unknown' : (values.get(boundedKey(key)) ?? 'none')),
    async set(key, value, ttlMs) {
      checkTtl(ttlMs);
      return closed ? 'unknown' : values.set(boundedKey(key), value, ttlMs);
    },
    async setIfAbsent(key, value, ttlMs) {
      checkTtl(ttlMs);
      return closed ? 'unknown' : values.setIfAbsent(boundedKey(key), value, ttlMs);
    },
    async setIfOurs(key, marked, ttlMs) {
      checkTtl(ttlMs);
      return closed ? 'unknown' : values.setIfOurs(boundedKey(key), marked, ttlMs);
    },
    async delete(key) {
      if (!closed) values.delete(boundedKey(key));
      return !closed;
    },
    deleteIfEqual: async (key, expected) => (closed ? undefined : values.deleteIfEqual(boundedKey(key), expected)),
    async publish(channel, payload) {
      if (closed || payload.byteLength > maxValueBytes) return false;
      const copy = new Uint8Array(payload);
      queueMicrotask(() => subscriptions.deliver(channel, copy));
      return true;
    },
    subscribe: (channel, handler) => subscriptions.add(channel, handler),
    state: () => (closed ? closedState : { connected: true }),
    ping: async () => (closed ? closedState : { connected: true }),
    async close() {
      closed = true;
      for (const each of [subscriptions, values, counting]) each.clear();
    },
  };
}

const closedState = { connected: false, error: 'closed' } as const;

interface Values {
  get(key: string): Uint8Array | undefined;
  set(key: string, value: Uint8Array, ttlMs: number): SetResult;
  setIfAbsent(key: string, value: Uint8Array, ttlMs: number): SetIfAbsentResult;
  setIfOurs(key: string, marked: MarkedValue, ttlMs: number): SetIfOursResult;
  delete(key: string): void;
  deleteIfEqual(key: string, expected: Uint8Array): boolean;
  clear(): void;
}

interface ValueBounds {
  maxEntries: number;
  maxBytes: number;
  maxValueBytes: number;
}

/** Bytes counted per entry in addition to its value, so that many tiny values count for the memory they use. */
const entryOverhead = 64;

/** Values are copied on write and read, as they would be over a socket. */
function createValues({ maxEntries, maxBytes, maxValueBytes }: ValueBounds): Values {
  const cache = new LRUCache<string, Uint8Array>({ maxSize: maxBytes, ttlResolution: 0 });
  const sizeOf = (key: string, value: Uint8Array) => entryOverhead + key.length + value.byteLength;
  const fits = (key: string, value: Uint8Array) => value.byteLength <= maxValueBytes && sizeOf(key, value) <= maxBytes;
  const set = (key: string, value: Uint8Array, ttlMs: number): SetResult => {
    if (!fits(key, value)) return 'too_large';
    cache.set(key, new Uint8Array(value), { ttl: ttlMs, size: sizeOf(key, value) });
    if (cache.size > maxEntries) cache.pop();
    return 'stored';
  };
  return {
    get(key) {
      const value = cache.get(key);
      return value && new Uint8Array(value);
    },
    set,
    setIfAbsent(key, value, ttlMs) {
      const present = fits(key, value) ? cache.get(key) : undefined;
      return present ? { present: new Uint8Array(present) } : set(key, value, ttlMs);
    },
    setIfOurs(key, { mark, value }, ttlMs) {
      const present = fits(key, value) ? cache.get(key) : undefined;
      const isOurs = present === undefined || Buffer.compare(present.subarray(0, mark.length), mark) === 0;
      return isOurs ? set(key, value, ttlMs) : 'taken';
    },
    delete: (key) => void cache.delete(key),
    deleteIfEqual(key, expected) {
      const value = cache.get(key);
      if (!value || Buffer.compare(value, expected) !== 0) return false;
      return cache.delete(key);
    },
    clear: () => cache.clear(),
  };
}
