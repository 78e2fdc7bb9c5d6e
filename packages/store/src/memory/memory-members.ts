import { LRUCache } from 'lru-cache';
import { boundedKey, checkPresence } from '../arguments.ts';
import { entriesUpTo } from '../entries-up-to.ts';
import type { Store } from '../store.ts';

interface MemoryMembers {
  present: Store['present'];
  clear(): void;
}

/** When each member leaves unless it is named again. */
type Members = Map<string, number>;

/** The same arithmetic as `redis/present.ts`; a shared suite tests both. */
export function createMemoryMembers(maxEntries: number, isClosed: () => boolean): MemoryMembers {
  const byKey = new LRUCache<string, Members>(entriesUpTo(maxEntries));
  return {
    async present(key, rule) {
      checkPresence(rule);
      if (isClosed()) return undefined;
      const nowMs = performance.now();
      const name = boundedKey(key);
      const members: Members = byKey.get(name) ?? new Map();
      byKey.set(name, members.set(rule.member, nowMs + rule.ttlMs));
      for (const [member, untilMs] of members) if (untilMs <= nowMs) members.delete(member);
      return members.size;
    },
    clear: () => byKey.clear(),
  };
}
