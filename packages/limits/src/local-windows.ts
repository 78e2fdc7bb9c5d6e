import { entriesUpTo, type SlidingWindow, spendFrom } from '@tallyport/store';
import { LRUCache } from 'lru-cache';

interface LocalWindows {
  /** The current count, and the time until the first one leaves the window. */
  look(name: string): { used: number; resetMs: number };
  /** Counts one more, regardless of the limit. */
  add(name: string): void;
}

interface LocalWindowsOptions {
  windowMs: number;
  maxNames: number;
  now?: () => number;
}

/** Counts in this process only, for names that clients can make up. The least recently used names are evicted. */
export function createLocalWindows(options: LocalWindowsOptions): LocalWindows {
  const { windowMs, maxNames, now = () => performance.now() } = options;
  const windows = new LRUCache<string, SlidingWindow>({ ...entriesUpTo(maxNames), ttl: windowMs * 2 });

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
