import type { ExchangeAnswer } from '@tallyport/bus';
import type { ResponseHead } from '@tallyport/contracts';
import { type Lease, slicedAnswer, withCleanup } from '@tallyport/serving';
import { totalBytes } from '@tallyport/wire';

/** An answer whose bytes count towards the budget until they have been sent. */
export function leasedAnswer(head: ResponseHead, slices: Buffer[], lease: Lease): ExchangeAnswer {
  lease.settle(totalBytes(slices));
  const answer = slicedAnswer(head, slices);
  return { ...answer, body: withCleanup(answer.body, lease.release) };
}
