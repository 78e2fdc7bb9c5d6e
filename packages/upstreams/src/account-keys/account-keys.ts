import { GatewayError, type Principal, type ProviderKey } from '@switchyard/contracts';
import type { OwnKeys } from '@switchyard/dispatch';
import { LRUCache } from 'lru-cache';

/** This replica's memory of accounts' own keys. They are nowhere else here: not on disk, not in a log. */
export interface AccountKeys {
  /**
   * `undefined` for all who go with the service's keys: nothing is looked up for them. Throws `unavailable` when the keys
   * cannot be had: another one's key is never taken instead.
   */
  of(principal: Principal | undefined): Promise<OwnKeys | undefined>;
  /** Forgets an account's keys. */
  drop(accountId: string): void;
}

export interface AccountKeysOptions {
  /** Asks auth-svc, and has a deadline of its own. */
  load(accountId: string): Promise<readonly ProviderKey[]>;
  /** Milliseconds that never go back. */
  now?(): number;
}

/** Changes are announced; this bounds the age of keys whose change was missed. */
const freshMs = 60_000;
/** As long as known keys are used while auth-svc is away. */
const staleMs = 600_000;
/** While it is away it is asked no more often than this for each account. */
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

  /** One at a time for each account. What was dropped meanwhile is not remembered. */
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

/** What is remembered of a key, such as that it was refused, is remembered by its object. */
function sameObjects(loaded: readonly ProviderKey[], before: readonly ProviderKey[]): readonly ProviderKey[] {
  return loaded.map((key) => before.find((old) => old.id === key.id && old.key === key.key) ?? key);
}

const away = (cause: unknown): GatewayError =>
  new GatewayError(
    'unavailable',
    "Your account's provider keys cannot be looked up right now. Try again in a moment.",
    {
      retryAfterMs: 1_000,
      cause,
    },
  );
