import type { Store } from '@switchyard/store';
import { LRUCache } from 'lru-cache';
import { type CounterTools, RequestCounter, type LimitVerdict } from './request-counter.ts';

export interface RequestWindows {
  /** The refusal that is known without asking; counts nothing. */
  refusal(name: string, limit: number): LimitVerdict | undefined;
  /** Counts one request. Answered at once where that cannot exceed the limit by what others do meanwhile. */
  take(name: string, limit: number): LimitVerdict | Promise<LimitVerdict>;
  /** The one taken last was refused by another limit. */
  giveBack(name: string): void;
  /** Tells the store what it does not know yet. */
  stop(): Promise<void>;
}

export interface RequestWindowsOptions extends Pick<CounterTools, 'windowMs' | 'replicas'> {
  store: Store;
  /** The least recently used are forgotten here; the store goes on counting them. */
  maxNames?: number;
  now?: () => number;
}

/** What was let in without asking is told at least this often. */
const tellEveryMs = 50;

/**
 * Requests in any window, counted over all replicas. While much is left a few requests are let in at once and told a moment
 * later, so that nobody waits for the store; when little is left, or the limit is small, each asks first. Those who ask
 * while an answer is under way ask together. Who is refused is told locally until the store's answer can have changed.
 */
export function createRequestWindows(options: RequestWindowsOptions): RequestWindows {
  const { store, windowMs, replicas, maxNames = 20_000, now = () => performance.now() } = options;
  const counters = new LRUCache<string, RequestCounter>({ max: maxNames });
  const untold = new Set<RequestCounter>();
  let telling: NodeJS.Timeout | undefined;
  let stopped = false;
  const tools = { store, windowMs, replicas, now, tellSoon };

  function tellSoon(counter: RequestCounter): void {
    if (stopped) return;
    // What finds no room is told with the next question.
    if (untold.size < maxNames) untold.add(counter);
    telling ??= setTimeout(onTime, tellEveryMs);
  }

  function onTime(): void {
    telling = undefined;
    if (store.state().connected) void tellAll();
    else telling = setTimeout(onTime, tellEveryMs);
  }

  async function tellAll(): Promise<void> {
    const counters = [...untold];
    untold.clear();
    await Promise.all(counters.map((counter) => counter.tell()));
  }

  function counterOf(name: string, limit: number): RequestCounter {
    const known = counters.get(name);
    if (known) return known.setLimit(limit);
    const counter = new RequestCounter(name, tools).setLimit(limit);
    counters.set(name, counter);
    return counter;
  }

  return {
    refusal: (name, limit) => counterOf(name, limit).refusal(),
    take: (name, limit) => counterOf(name, limit).take(),
    giveBack: (name) => counters.get(name)?.giveBack(),
    stop() {
      stopped = true;
      clearTimeout(telling);
      return tellAll();
    },
  };
}
