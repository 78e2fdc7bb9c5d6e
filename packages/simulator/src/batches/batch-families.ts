import type { FamilySettings, VendorRoute } from '@tallyport/sandbox';
import { anthropicBatchRoutes } from './anthropic-batches.ts';
import type { BatchDesk } from './batch-desk.ts';
import { googleBatchRoutes } from './google-batches.ts';
import { mistralBatchRoutes } from './mistral-batches.ts';
import { openAiBatchRoutes } from './openai-batches.ts';
import { xaiBatchRoutes } from './xai-batches.ts';

/** The vendors with batches. */
export const batchFamilies: readonly ((desk: BatchDesk, settings: FamilySettings) => VendorRoute[])[] = [
  anthropicBatchRoutes,
  googleBatchRoutes,
  mistralBatchRoutes,
  openAiBatchRoutes,
  xaiBatchRoutes,
];
