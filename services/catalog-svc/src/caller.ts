import type { Principal } from '@tallyport/contracts';
import type { AccountRoutes, OpenAccountKeys } from '@tallyport/serving/upstreams';
import type { CallerAccess } from './list/reach.ts';

/** What a caller can use. Throws `unavailable` if the keys or routes of its account cannot be loaded. */
export type CallerOf = (principal: Principal | undefined) => Promise<CallerAccess>;

interface CallerTools {
  accountKeys: Pick<OpenAccountKeys, 'of'>;
  accountRoutes: AccountRoutes;
}

export const callerWith =
  ({ accountKeys, accountRoutes }: CallerTools): CallerOf =>
  async (principal) => {
    const [own, routes] = await Promise.all([accountKeys.of(principal), accountRoutes.of(principal)]);
    return { principal, own, routes };
  };
