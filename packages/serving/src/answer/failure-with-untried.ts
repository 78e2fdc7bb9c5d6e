import { GatewayError, withUntried } from '@tallyport/contracts';
import { type AttemptRecord, type Plan, untriedOffers } from '@tallyport/dispatch';

/**
 * The error of a request that no provider answered, with the offers that were not tried. One that the request itself
 * caused at the first attempt has none: no other offer would have helped. What is no error of the gateway stays as it is.
 */
export function failureWithUntried(thrown: unknown, plan: Plan, attempts: readonly AttemptRecord[] = []): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  if (thrown.attempts === undefined && thrown.domain !== 'provider') return thrown;
  return withUntried(thrown, untriedOffers(plan, attempts));
}
