import type { Principal } from '@tallyport/contracts';
import type { OpenAccountKeys } from '@tallyport/serving/upstreams';
import type { CallerAccess } from './list/reach.ts';

/** The keys with which a caller reaches providers. Throws `unavailable` if those of its account cannot be loaded. */
export type CallerOf = (principal: Principal | undefined) => Promise<CallerAccess>;

export const callerWith =
  (accountKeys: Pick<OpenAccountKeys, 'of'>): CallerOf =>
  async (principal) => ({ principal, own: await accountKeys.of(principal) });
