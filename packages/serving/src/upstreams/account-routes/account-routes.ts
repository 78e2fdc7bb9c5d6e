import { isDeepStrictEqual } from 'node:util';
import { GatewayError, type Principal, type Routes } from '@tallyport/contracts';
import { createAccountValues } from '@tallyport/store';

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
  load(wanted: { accountId: string; version: string }): Promise<Routes>;
  prepare(routes: Routes): Ready;
}

/** Versions are kept apart and never name other routes later, so a change drops none. */
export function createAccountRoutes<Ready>({ load, prepare }: AccountRoutesOptions<Ready>): AccountRoutes<Ready> {
  const values = createAccountValues<{ routes: Routes; ready: Ready }>({
    async load(key, before) {
      const [accountId = '', version = ''] = key.split(' ');
      const routes = await load({ accountId, version });
      return before && isDeepStrictEqual(before.routes, routes) ? before : { routes, ready: prepare(routes) };
    },
    sizeOf: ({ routes }) => JSON.stringify(routes).length,
    away,
  });
  return {
    of(principal) {
      if (principal?.routesVersion === undefined) return undefined;
      return values.of(`${principal.accountId} ${principal.routesVersion}`).then(({ ready }) => ready);
    },
  };
}

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', "Your account's routes could not be loaded. Try again in a moment.", {
    retryAfterMs: 1_000,
    cause,
  });
