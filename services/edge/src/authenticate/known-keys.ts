import type { Caller } from '@tallyport/contracts';
import { entriesUpTo } from '@tallyport/store';
import { LRUCache } from 'lru-cache';

/** Caches which keys are known and which are not. Bounded in size; no entry outlives its key. */
export interface KnownKeys {
  /** `leftMs` may be negative: the entry is then stale and only usable if a new look-up fails. */
  caller(keyHash: string): { caller: Caller; leftMs: number } | undefined;
  isUnknown(keyHash: string): boolean;
  /** `forMs` overrides how long the result counts as fresh. */
  keep(keyHash: string, caller: Caller | null, forMs?: number): void;
  forget(keyHash: string): void;
  forgetAccount(accountId: string): void;
  /** Marks all entries as stale. */
  markAllStale(): void;
}

interface Clocks {
  now: () => number;
  /** The wall clock, for keys that expire. */
  date: () => number;
}

const maxKnown = 10_000;
const maxUnknown = 2_000;
const knownMs = 30_000;
const unknownMs = 5_000;

export function createKnownKeys({ now, date }: Clocks): KnownKeys {
  const known = new LRUCache<string, { caller: Caller; freshUntil: number }>(entriesUpTo(maxKnown));
  /** Kept separately, so that made-up keys cannot evict valid ones. */
  const unknown = new LRUCache<string, number>(entriesUpTo(maxUnknown));

  return {
    caller(keyHash) {
      const entry = known.get(keyHash);
      return entry && { caller: entry.caller, leftMs: entry.freshUntil - now() };
    },
    isUnknown: (keyHash) => (unknown.get(keyHash) ?? 0) > now(),
    keep(keyHash, caller, forMs = knownMs) {
      known.delete(keyHash);
      if (caller) known.set(keyHash, { caller, freshUntil: now() + Math.min(forMs, msToLive(caller, date())) });
      else unknown.set(keyHash, now() + unknownMs);
    },
    forget(keyHash) {
      known.delete(keyHash);
      unknown.delete(keyHash);
    },
    forgetAccount(accountId) {
      for (const [keyHash, { caller }] of known.entries()) {
        if (caller.principal.accountId === accountId) known.delete(keyHash);
      }
      // Refused keys may be of this account and valid again.
      unknown.clear();
    },
    markAllStale() {
      for (const entry of known.values()) entry.freshUntil = now();
      unknown.clear();
    },
  };
}

export const msToLive = ({ expiresAt }: Caller, date: number): number =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - date;
