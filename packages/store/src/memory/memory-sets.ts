import { LRUCache } from 'lru-cache';
import { boundedKey, checkAdmission } from '../arguments.ts';
import type { Store } from '../store.ts';

/** Of all sets together; the least recently used set is evicted. */
const mostMembers = 500_000;

interface MemorySets {
  admit: Store['admit'];
  clear(): void;
}

/** The same arithmetic as `redis/admit.ts`; a shared suite tests both. */
export function createMemorySets(isClosed: () => boolean, maxMembers = mostMembers): MemorySets {
  const sets = new LRUCache<string, Set<string>>({ maxSize: maxMembers, ttlResolution: 0 });
  return {
    async admit(key, rule) {
      checkAdmission(rule);
      if (isClosed()) return undefined;
      const { member, most, ttlMs } = rule;
      const name = boundedKey(key);
      const set = sets.get(name) ?? new Set();
      if (set.has(member)) return true;
      if (set.size >= most) return false;
      const ttl = set.size === 0 ? ttlMs : sets.getRemainingTTL(name);
      set.add(member);
      // The cache keeps the first size of a value that it has.
      sets.delete(name);
      sets.set(name, set, { ttl, size: set.size });
      return true;
    },
    clear: () => sets.clear(),
  };
}
