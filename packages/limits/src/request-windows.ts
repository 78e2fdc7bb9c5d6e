import { entriesUpTo, type Store } from '@tallyport/store';
import { LRUCache } from 'lru-cache';
import { type CounterTools, RequestCounter, type LimitVerdict } from './request-counter.ts';

export interface RequestWindows {
  /** A refusal that is known without asking the store. Counts nothing. */
  refusal(name: string, limit: number): LimitVerdict | undefined;
  /**
   * Counts one request. Resolves at once if concurrent requests on other replicas cannot exceed the limit meanwhile.
   */
  take(name: string, limit: number): LimitVerdict | Promise<LimitVerdict>;
  /** Refunds the last request, because another limit refused it. */
  giveBack(name: string): void;
  /** Reports to the store what it does not know yet. */
  stop(): Promise<void>;
}

interface RequestWindowsOptions extends Pick<CounterTools, 'windowMs' | 'replicas'> {
  store: Store;
  /** Maximum number of local counters. The least recently used are evicted; the store keeps counting them. */
  maxNames?: number;
  now?: () => number;
}

/**
 * Requests admitted without asking are reported at least this often: well within the time for which an answer of the
 * store is fresh, so that a key in steady use never waits for one. How many they may be does not depend on it.
 */
const tellEveryMs = 200;

/**
 * Counts requests per sliding window over all replicas. While much is left, some requests are admitted at once and
 * reported a moment later, so that they do not wait for the store; when little is left, or the limit is small, each
 * asks first. Requests that arrive during a store call share the next one. A refusal is repeated locally until the
 * store's answer can have changed.
 */
export function createRequestWindows(options: RequestWindowsOptions): RequestWindows {
  const { store, windowMs, replicas, maxNames = 20_000, now = () => performance.now() } = options;
  const counters = new LRUCache<string, RequestCounter>(entriesUpTo(maxNames));
  const untold = new Set<RequestCounter>();
  let telling: NodeJS.Timeout | undefined;
  let stopped = false;
  const tools = { store, windowMs, replicas, now, reportSoon };

  function reportSoon(counter: RequestCounter): void {
    if (stopped) return;
    // Counts that do not fit are reported with the next call.
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
    await Promise.all(counters.map((counter) => counter.report()));
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
