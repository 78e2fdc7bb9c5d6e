import { LRUCache } from 'lru-cache';

/** This replica's cache of something that auth-svc knows about accounts. Kept only in memory, never on disk or in logs. */
export interface AccountValues<Value> {
  of(accountId: string): Promise<Value>;
  /** Forgets an account's value. */
  drop(accountId: string): void;
}

interface AccountValuesOptions<Value> {
  /** Loads the value from auth-svc; must have a deadline. `before` is the previous value. */
  load(accountId: string, before: Value | undefined): Promise<Value>;
  /** The characters of a value. */
  sizeOf(value: Value): number;
  /** The error for a value that cannot be loaded. */
  away(cause: unknown): Error;
  /** Milliseconds of a monotonic clock. */
  now?: (() => number) | undefined;
}

/** Changes are announced; this limits the age of values whose announcement was lost. */
const freshMs = 60_000;
/** How long known values are used while auth-svc is unavailable. */
const staleMs = 600_000;
/** The minimum time between attempts for one account while auth-svc is unavailable. */
const retryMs = 1_000;
const mostAccounts = 10_000;
const mostCharacters = 64 * 1024 * 1024;

interface LoadedValue<Value> {
  value: Value;
  loadedAt: number;
  askAgainAt: number;
}

export function createAccountValues<Value>({
  load,
  sizeOf,
  away,
  now = () => performance.now(),
}: AccountValuesOptions<Value>): AccountValues<Value> {
  const known = new LRUCache<string, LoadedValue<Value>>({
    maxSize: mostCharacters,
    sizeCalculation: ({ value }) => sizeOf(value) + 1,
  });
  const loading = new Map<string, Promise<LoadedValue<Value>>>();

  function keep(accountId: string, found: LoadedValue<Value>): void {
    known.set(accountId, found);
    if (known.size > mostAccounts) known.pop();
  }

  async function loadNow(accountId: string): Promise<LoadedValue<Value>> {
    const before = known.get(accountId);
    const time = now();
    try {
      return { value: await load(accountId, before?.value), loadedAt: time, askAgainAt: time + freshMs };
    } catch (cause) {
      if (before !== undefined && now() < before.loadedAt + staleMs) return { ...before, askAgainAt: now() + retryMs };
      throw away(cause);
    }
  }

  /** Runs one load per account at a time. Its result is not kept if the account was dropped meanwhile. */
  function loadOnce(accountId: string): Promise<LoadedValue<Value>> {
    const running = loading.get(accountId);
    if (running !== undefined) return running;
    const started: Promise<LoadedValue<Value>> = loadNow(accountId)
      .then((found) => {
        if (loading.get(accountId) === started) keep(accountId, found);
        return found;
      })
      .finally(() => {
        if (loading.get(accountId) === started) loading.delete(accountId);
      });
    loading.set(accountId, started);
    return started;
  }

  return {
    async of(accountId) {
      const found = known.get(accountId);
      return (found !== undefined && now() < found.askAgainAt ? found : await loadOnce(accountId)).value;
    },
    drop(accountId) {
      known.delete(accountId);
      loading.delete(accountId);
    },
  };
}
