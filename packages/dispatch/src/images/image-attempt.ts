import type { ImageProvider } from '@switchyard/providers';
import type { ImageFetcher } from '../inline/image-fetcher.ts';
import type { ImageType } from '../inline/image-type.ts';
import type { UpstreamTry } from '../attempts/open-request.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import type { Pools } from '../upstream/pools.ts';
import type { PublicAgent } from '../upstream/public-agent.ts';
import type { Base64Slices } from './base64.ts';
import type { ImageTask, ServedImages } from './image-task.ts';

/** What is wrong with an image that was fetched for a client, as the end of a sentence; `undefined`: nothing. */
export type FlawOf = (image: { type: ImageType; base64: Base64Slices }) => Promise<string | undefined>;

/** What every attempt to make images is made with. */
export interface ImageEquipment {
  pools: Pools;
  /** For clients' URLs. */
  fetcher: ImageFetcher;
  /** For results that wait at a vendor's storage. */
  results: PublicAgent;
  timeouts: Timeouts;
  maxResponseBytes: number;
  flawOf?: FlawOf | undefined;
}

/** One try of one offer for images. */
export interface ImageAttempt extends UpstreamTry {
  equipment: ImageEquipment;
  provider: ImageProvider;
  task: ImageTask;
}

/** What one attempt brought, without who and how. */
export type AttemptedImages = Omit<ServedImages, 'offer' | 'routing'>;
