import type { RequestHead } from '@switchyard/contracts';
import type { Plan } from '@switchyard/dispatch';
import type { ImageOperation } from '@switchyard/providers';
import type { Lease } from './byte-budget.ts';
import type { ImageRequest } from './request/image-request.ts';

/** One request for images, read and planned. */
export interface PlannedImages {
  head: RequestHead;
  operation: ImageOperation;
  request: ImageRequest;
  plan: Plan;
  planMs: number;
  /** The bytes it holds here. */
  lease: Lease;
}
