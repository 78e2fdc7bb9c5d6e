import type { CacheTerms } from '@tallyport/serving';
import type { PlannedImages } from '../planned-images.ts';
import { countedParts, inputBytesOf, mostInputBytes } from './counted-parts.ts';
import { imagesFrom } from './from-entry.ts';

/** How the answer cache treats a request for images. A stream is worth its partial images, which are not kept. */
export const imageCacheTerms = (images: PlannedImages): CacheTerms => ({
  mode: 'image',
  uncacheable: images.request.stream || inputBytesOf(images.request) > mostInputBytes,
  counted: () => countedParts(images.request),
  from: (entry) => imagesFrom(entry, images),
});
