import type { RequestHead } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import type { ImageOperation } from '@tallyport/providers';
import type { Lease } from '@tallyport/serving';
import type { ImageRequest } from './request/image-request.ts';

/** An image request after reading and planning. */
export interface PlannedImages {
  head: RequestHead;
  operation: ImageOperation;
  request: ImageRequest;
  plan: Plan;
  planMs: number;
  /** The bytes it holds of the budget. */
  lease: Lease;
}
