import { GatewayError, type Principal, type ProviderKey } from '@switchyard/contracts';
import type { OwnKeys } from '@switchyard/dispatch';
import { LRUCache } from 'lru-cache';

/** This replica's cache of accounts' own keys. They are kept only in memory, never on disk or in logs. */
export interface AccountKeys {
  /**
   * Returns the account's own keys, or `undefined` without a look-up if it uses only the service's. Throws
   * `unavailable` if they cannot be loaded; other keys are never used instead.
   */
  of(principal: Principal | undefined): Promise<OwnKeys | undefined>;
  /** Forgets an account's keys. */
  drop(accountId: string): void;
}

export interface AccountKeysOptions {
  /** Loads the keys from auth-svc; must have a deadline. */
  load(accountId: string): Promise<readonly ProviderKey[]>;
  /** Milliseconds of a monotonic clock. */
  now?(): number;
}

/** Changes are announced; this limits the age of keys whose announcement was lost. */
const freshMs = 60_000;
/** How long known keys are used while auth-svc is unavailable. */
const staleMs = 600_000;
/** The minimum time between attempts for one account while auth-svc is unavailable. */
const retryMs = 1_000;
const mostAccounts = 10_000;
const mostCharacters = 64 * 1024 * 1024;

interface LoadedKeys {
  keys: readonly ProviderKey[];
  loadedAt: number;
  askAgainAt: number;
}

export function createAccountKeys({ load, now = () => performance.now() }: AccountKeysOptions): AccountKeys {
  const known = new LRUCache<string, LoadedKeys>({
    max: mostAccounts,
    maxSize: mostCharacters,
    sizeCalculation: sizeOf,
  });
  const loading = new Map<string, Promise<LoadedKeys>>();

  async function loadNow(accountId: string): Promise<LoadedKeys> {
    const before = known.get(accountId);
    const time = now();
    try {
      const keys = sameObjects(await load(accountId), before?.keys ?? []);
      return { keys, loadedAt: time, askAgainAt: time + freshMs };
    } catch (cause) {
      if (before !== undefined && now() < before.loadedAt + staleMs) return { ...before, askAgainAt: now() + retryMs };
      throw away(cause);
    }
  }

  /** Runs one load per account at a time. Its result is not kept if the account was dropped meanwhile. */
  function loadOnce(accountId: string): Promise<LoadedKeys> {
    const running = loading.get(accountId);
    if (running !== undefined) return running;
    const started: Promise<LoadedKeys> = loadNow(accountId)
      .then((found) => {
        if (loading.get(accountId) === started) known.set(accountId, found);
        return found;
      })
      .finally(() => {
        if (loading.get(accountId) === started) loading.delete(accountId);
      });
    loading.set(accountId, started);
    return started;
  }

  return {
    async of(principal) {
      const { accountId, providerKeys: mode = 'service_only' } = principal ?? {};
      if (accountId === undefined || mode === 'service_only') return undefined;
      const found = known.get(accountId);
      const { keys } = found !== undefined && now() < found.askAgainAt ? found : await loadOnce(accountId);
      return { mode, keys };
    },
    drop(accountId) {
      known.delete(accountId);
      loading.delete(accountId);
    },
  };
}

const sizeOf = ({ keys }: LoadedKeys): number => keys.reduce((sum, { key }) => sum + key.length, 1);

/** Reuses the objects of unchanged keys, because the state of a key (such as being benched) is kept by object. */
function sameObjects(loaded: readonly ProviderKey[], before: readonly ProviderKey[]): readonly ProviderKey[] {
  return loaded.map((key) => before.find((old) => old.id === key.id && old.key === key.key) ?? key);
}

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', "Your account's provider keys could not be loaded. Try again in a moment.", {
    retryAfterMs: 1_000,
    cause,
  });
