import { type SlidingWindow, spendFrom } from '@switchyard/store';
import { LRUCache } from 'lru-cache';

export interface LocalWindows {
  /** How many were counted, and until when the first of them leaves. */
  look(name: string): { used: number; resetMs: number };
  /** One more, whatever the limit. */
  add(name: string): void;
}

export interface LocalWindowsOptions {
  windowMs: number;
  maxNames: number;
  now?: () => number;
}

/** Counts of this process alone, for names that anyone can make up: the least recently used are forgotten. */
export function createLocalWindows(options: LocalWindowsOptions): LocalWindows {
  const { windowMs, maxNames, now = () => performance.now() } = options;
  const windows = new LRUCache<string, SlidingWindow>({ max: maxNames, ttl: windowMs * 2 });

  return {
    look(name) {
      const window = windows.get(name);
      if (!window) return { used: 0, resetMs: 0 };
      const { used, comesBackMs } = spendFrom(window, { limit: 0, windowMs, wanted: 0 }, now());
      return { used, resetMs: comesBackMs };
    },
    add(name) {
      const window = windows.get(name) ?? new Map<number, number>();
      windows.set(name, window);
      spendFrom(window, { limit: 0, windowMs, wanted: 0, owed: 1 }, now());
    },
  };
}
