import { LRUCache } from 'lru-cache';
import { entriesUpTo } from '../entries-up-to.ts';
import { addVectors, fade, isNothing, type StoredSums } from '../fading-sums.ts';
import type { FadingSums } from '../store.ts';

interface MemorySums {
  accumulate(key: string, additions: FadingSums, halfLifeMs: number): FadingSums;
  clear(): void;
}

export function createMemorySums(maxEntries: number): MemorySums {
  const byKey = new LRUCache<string, Map<string, StoredSums>>(entriesUpTo(maxEntries));
  return {
    accumulate(key, additions, halfLifeMs) {
      const nowMs = performance.now();
      const sums = new Map<string, number[]>();
      for (const [name, kept] of byKey.get(key) ?? []) sums.set(name, fade(kept, halfLifeMs, nowMs));
      for (const [name, values] of additions) sums.set(name, addVectors(sums.get(name) ?? [], values));
      for (const [name, values] of sums) if (isNothing(values)) sums.delete(name);
      byKey.set(key, new Map([...sums].map(([name, values]) => [name, { atMs: nowMs, values }])));
      return sums;
    },
    clear: () => byKey.clear(),
  };
}
