import type { ImageProvider } from '@tallyport/providers';
import type { Pools, PublicAgent } from '@tallyport/outbound';
import type { ImageFetcher } from '../inline/image-fetcher.ts';
import type { ImageType } from '@tallyport/wire';
import type { UpstreamTry } from '../attempts/open-request.ts';
import type { Timeouts } from '../attempts/timeouts.ts';
import type { Base64Slices } from './base64.ts';
import type { ImageTask, PartialImage, ServedImages } from './image-task.ts';

/** Returns what is wrong with an image fetched for a client, as the end of a sentence, or `undefined` if nothing is. */
export type FlawOf = (image: { type: ImageType; base64: Base64Slices }) => Promise<string | undefined>;

/** What all attempts to make images share. */
export interface ImageEquipment {
  pools: Pools;
  /** Fetches the images that clients name by URL. */
  fetcher: ImageFetcher;
  /** Fetches results from a vendor's storage. */
  results: PublicAgent;
  timeouts: Timeouts;
  maxResponseBytes: number;
  findFlaw?: FlawOf | undefined;
}

/** One attempt at one offer for images. */
export interface ImageAttempt extends UpstreamTry {
  equipment: ImageEquipment;
  provider: ImageProvider;
  task: ImageTask;
  onPartial?: ((partial: Omit<PartialImage, 'offer' | 'attempts'>) => void) | undefined;
}

/** The result of one attempt, without its offer and routing. */
export type AttemptedImages = Omit<ServedImages, 'offer' | 'routing'>;
