import { GatewayError, type LoadedRoute, type Principal } from '@tallyport/contracts';
import { LRUCache } from 'lru-cache';

type Routes = Readonly<Record<string, LoadedRoute>>;

/** This replica's copies of the routes of accounts. */
export interface AccountRoutes {
  /**
   * The routes of the account in the version that the principal names; while they cannot be loaded, those of the version
   * known before. `undefined`, without a look-up, if it has none. Rejects with `unavailable` if none are known: a route
   * that is not known would be taken for a model.
   */
  of(principal: Principal | undefined): Routes | Promise<Routes> | undefined;
}

interface AccountRoutesOptions {
  /** Loads the routes from auth-svc; must have a deadline. */
  load(accountId: string, version: string): Promise<Routes>;
  /** Milliseconds of a monotonic clock. */
  now?(): number;
}

interface KnownRoutes {
  version: string;
  routes: Routes;
  /** Of routes of an earlier version than the one that is wanted. */
  askAgainAt: number;
}

/** In characters, about as many bytes. */
const mostCharacters = 64 * 1024 * 1024;
/** The time between attempts for one account while auth-svc is unavailable. */
const retryMs = 1_000;

export function createAccountRoutes({ load, now = () => performance.now() }: AccountRoutesOptions): AccountRoutes {
  const known = new LRUCache<string, KnownRoutes>({
    maxSize: mostCharacters,
    sizeCalculation: ({ routes }) => JSON.stringify(routes).length,
  });
  const loading = new Map<string, Promise<Routes>>();

  async function loadNow(accountId: string, version: string): Promise<Routes> {
    try {
      const routes = await load(accountId, version);
      known.set(accountId, { version, routes, askAgainAt: 0 });
      return routes;
    } catch (cause) {
      const before = known.get(accountId);
      if (before === undefined) throw away(cause);
      before.askAgainAt = now() + retryMs;
      return before.routes;
    }
  }

  /** One question per version at a time. */
  function loadOnce(accountId: string, version: string): Promise<Routes> {
    const name = JSON.stringify([accountId, version]);
    const running = loading.get(name);
    if (running !== undefined) return running;
    const started = loadNow(accountId, version).finally(() => loading.delete(name));
    loading.set(name, started);
    return started;
  }

  return {
    of(principal) {
      const { accountId, routesVersion: version } = principal ?? {};
      if (accountId === undefined || version === undefined) return undefined;
      const found = known.get(accountId);
      if (found !== undefined && (found.version === version || now() < found.askAgainAt)) return found.routes;
      return loadOnce(accountId, version);
    },
  };
}

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', "Your account's routes could not be loaded. Try again in a moment.", {
    retryAfterMs: 1_000,
    cause,
  });
