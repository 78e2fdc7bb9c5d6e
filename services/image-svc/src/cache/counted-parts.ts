import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InputImage } from '@tallyport/providers';
import type { LongStrings } from '@tallyport/wire';
import type { ImageRequest } from '../request/image-request.ts';

/** Hashing more than this would delay other requests too long. */
export const mostInputBytes = 16 * 1024 * 1024;

/** The size of all input images. */
export function inputBytesOf({ strings }: Pick<ImageRequest, 'strings'>): number {
  let bytes = 0;
  for (const slices of strings.byPlaceholder.values()) for (const { length } of slices) bytes += length;
  return bytes;
}

/**
 * The parts of an image request that affect its answer: all that a provider could receive, with images represented by
 * the hash of their bytes. `user` is left out, because it is a label for abuse detection; the plan has the model.
 */
export async function countedParts({ call, strings }: ImageRequest): Promise<unknown> {
  const { user: _user, images, mask, ...counted } = call;
  const digests: unknown[] = [];
  for (const image of images) digests.push(await known(image, strings));
  return { ...counted, images: digests, ...(mask && { mask: await known(mask, strings) }) };
}

async function known(image: InputImage, { byPlaceholder }: LongStrings): Promise<unknown> {
  if (!('base64' in image)) return image;
  const hash = createHash('sha256');
  let unbroken = 0;
  for (const slice of byPlaceholder.get(image.base64) ?? [Buffer.from(image.base64)]) {
    hash.update(slice);
    unbroken += slice.length;
    if (unbroken < longestRun) continue;
    unbroken = 0;
    await nextTurn();
  }
  return { ...image, base64: hash.digest('base64url') };
}

/** Hashing this many bytes takes about a millisecond. */
const longestRun = 1024 * 1024;
