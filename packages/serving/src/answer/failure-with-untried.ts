import { type GatewayError, withUntried } from '@tallyport/contracts';
import { type AttemptRecord, type Plan, untriedOffers } from '@tallyport/dispatch';

/**
 * The error of a request that no provider answered, with the offers that were not tried. One that the request itself
 * caused at the first attempt has none: no other offer would have helped.
 */
export const failureWithUntried = (
  error: GatewayError,
  plan: Plan,
  attempts: readonly AttemptRecord[] = [],
): GatewayError =>
  error.attempts === undefined && error.domain !== 'provider'
    ? error
    : withUntried(error, untriedOffers(plan, attempts));
