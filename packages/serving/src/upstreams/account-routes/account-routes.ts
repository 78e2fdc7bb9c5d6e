import { GatewayError, type Principal, type Routes } from '@tallyport/contracts';
import { LRUCache } from 'lru-cache';

/** This replica's cache of the routes of accounts. */
export interface AccountRoutes<Ready> {
  /**
   * Resolves with the account's routes in the version of the principal, prepared once. `undefined`, without a look-up, if it
   * has none. Rejects with `unavailable` if they cannot be loaded.
   */
  of(principal: Principal | undefined): Promise<Ready> | undefined;
}

interface AccountRoutesOptions<Ready> {
  /** Loads the routes from auth-svc; must have a deadline. */
  load(wanted: WantedRoutes): Promise<Routes>;
  prepare(routes: Routes): Ready;
}

interface WantedRoutes {
  accountId: string;
  version: string;
}

const mostAccounts = 10_000;
const mostCharacters = 64 * 1024 * 1024;

/** A version never names other routes later, so nothing has to be dropped. */
export function createAccountRoutes<Ready extends object>({
  load,
  prepare,
}: AccountRoutesOptions<Ready>): AccountRoutes<Ready> {
  const known = new LRUCache<string, { ready: Ready; characters: number }, WantedRoutes>({
    max: mostAccounts,
    maxSize: mostCharacters,
    sizeCalculation: ({ characters }) => characters,
    async fetchMethod(_key, _stale, { context }) {
      const routes = await load(context);
      return { ready: prepare(routes), characters: JSON.stringify(routes).length };
    },
  });
  return {
    of(principal) {
      if (principal?.routesVersion === undefined) return undefined;
      const wanted = { accountId: principal.accountId, version: principal.routesVersion };
      return known.forceFetch(`${wanted.accountId} ${wanted.version}`, { context: wanted }).then(
        ({ ready }) => ready,
        (cause: unknown) => {
          throw away(cause);
        },
      );
    },
  };
}

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', "Your account's routes could not be loaded. Try again in a moment.", {
    retryAfterMs: 1_000,
    cause,
  });
