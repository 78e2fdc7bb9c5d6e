import { LRUCache } from 'lru-cache';
import { boundedKey, checkQueue } from '../arguments.ts';
import { entriesUpTo } from '../entries-up-to.ts';
import type { QueueStep, Store } from '../store.ts';

interface MemoryQueues {
  queue: Store['queue'];
  clear(): void;
}

/** When each entry becomes due. */
type Queue = Map<string, number>;

/** The same as `redis/queue.ts`; a shared suite tests both. */
export function createMemoryQueues(maxEntries: number, isClosed: () => boolean): MemoryQueues {
  const queues = new LRUCache<string, Queue>({ ...entriesUpTo(maxEntries), ttlResolution: 0 });
  return {
    async queue(key, step) {
      checkQueue(step);
      if (isClosed()) return undefined;
      const name = boundedKey(key);
      const queue: Queue = queues.get(name) ?? new Map();
      const result = stepQueue(queue, step, performance.now());
      if (step.kind === 'put' && result.length > 0)
        queues.set(name, queue, { ttl: Math.max(queues.getRemainingTTL(name), step.keepMs) });
      return result;
    },
    clear: () => queues.clear(),
  };
}

function stepQueue(queue: Queue, step: QueueStep, nowMs: number): string[] {
  switch (step.kind) {
    case 'put':
      if (!queue.has(step.member) && queue.size >= step.most) return [];
      queue.set(step.member, nowMs + step.dueInMs);
      return [step.member];
    case 'take': {
      const due = [...queue].filter(([, dueMs]) => dueMs <= nowMs).sort(([, one], [, other]) => one - other);
      const taken = due.slice(0, step.most).map(([member]) => member);
      for (const member of taken) queue.set(member, nowMs + step.holdMs);
      return taken;
    }
    case 'remove':
      queue.delete(step.member);
      return [];
    default:
      return step satisfies never;
  }
}
