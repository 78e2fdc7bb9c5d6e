import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import type { ImageOperation } from '@switchyard/providers';
import type { Lease } from '@switchyard/serving';
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
