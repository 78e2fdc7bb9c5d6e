import type { RequestHead } from '@tallyport/contracts';
import { withoutClientLimits } from '../metering/index.ts';

/**
 * The head of a decision that a request depends on: the caller's key, project and account pay, and it may use what they may
 * use. The headers of a client are about its own request.
 */
export const deciderHead = ({ requestId, timeoutMs, principal }: RequestHead, mostMs: number): RequestHead => ({
  requestId,
  timeoutMs: Math.min(timeoutMs, mostMs),
  headers: {},
  ...(principal && { principal: withoutClientLimits(principal) }),
});
