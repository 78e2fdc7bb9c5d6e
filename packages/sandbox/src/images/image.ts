import { drawPicture, type PictureWish } from './picture.ts';
import { encodePng } from './png.ts';
import { nearestRecordedSize, recordedPicture } from './recorded.ts';
import type { PictureSize } from './size.ts';

export type PictureFormat = 'png' | 'jpeg' | 'webp';

/** One image, decided by these words alone. */
export interface ImageWish extends PictureWish {
  readonly format: PictureFormat;
  /** Exactly so many, where it is no less than the picture needs; WebP is as large as it is. */
  readonly bytes?: number | undefined;
  readonly transparent?: boolean | undefined;
}

/** Larger answers than any vendor gives. */
export const mostImageBytes = 48 * 1024 * 1024;

export function makeImage({ format, bytes = 0, transparent = false, ...wish }: ImageWish): Buffer {
  if (format === 'webp') return recordedPicture(wish, format);
  const image = format === 'png' ? encodePng(drawPicture(wish), { transparent }) : recordedPicture(wish, format);
  return padded(image, bytes);
}

/** The size in which an image is made: JPEG and WebP are recorded in some sizes only. */
export const madeSize = (size: PictureSize, format: PictureFormat): PictureSize =>
  format === 'png' ? size : nearestRecordedSize(size, format);

/** PNG and JPEG both end within so many bytes; no reader looks behind the first end. */
const endBytes = 12;

/** The image, filled up with zeros and a second end, so that it has exactly so many bytes; unchanged where it has more. */
function padded(image: Buffer, bytes: number): Buffer {
  const missing = bytes - image.length;
  if (missing < endBytes) return image;
  return Buffer.concat([image, Buffer.alloc(missing - endBytes), image.subarray(-endBytes)]);
}

export const mediaTypeOf = (format: PictureFormat): string => `image/${format}`;
