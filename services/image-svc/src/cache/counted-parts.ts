import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InputImage } from '@switchyard/providers';
import type { LongStrings } from '@switchyard/wire';
import type { ImageRequest } from '../request/image-request.ts';

/** Hashing more than this takes longer than others should wait for their turn. */
export const mostInputBytes = 16 * 1024 * 1024;

/** Of all images that were given. */
export function inputBytesOf({ strings }: Pick<ImageRequest, 'strings'>): number {
  let bytes = 0;
  for (const slices of strings.byPlaceholder.values()) for (const { length } of slices) bytes += length;
  return bytes;
}

/**
 * What of a request for images makes its answer another: all that a provider could be told, images by what their bytes
 * are. `user` is a label for the vendor's watch for abuse; what model is meant is known by the plan.
 */
export async function countedParts({ call, strings }: ImageRequest): Promise<unknown> {
  const { user: _user, images, ...counted } = call;
  const digests: unknown[] = [];
  for (const image of images) digests.push(await known(image, strings));
  return { ...counted, images: digests };
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

/** So many bytes take about a millisecond. */
const longestRun = 1024 * 1024;
