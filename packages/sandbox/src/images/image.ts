import { drawPicture, type PictureSpec } from './picture.ts';
import { encodePng } from './png.ts';
import { nearestRecordedSize, recordedPicture } from './recorded.ts';
import type { PictureSize } from './size.ts';

export type PictureFormat = 'png' | 'jpeg' | 'webp';

/** A complete specification of one image. */
export interface ImageSpec extends PictureSpec {
  readonly format: PictureFormat;
  /** The exact size in bytes, if it is larger than the picture. Ignored for WebP. */
  readonly bytes?: number | undefined;
  readonly transparent?: boolean | undefined;
}

/** More than any vendor returns. */
export const mostImageBytes = 48 * 1024 * 1024;

export function makeImage({ format, bytes = 0, transparent = false, ...spec }: ImageSpec): Buffer {
  if (format === 'webp') return recordedPicture(spec, format);
  const image = format === 'png' ? encodePng(drawPicture(spec), { transparent }) : recordedPicture(spec, format);
  return padded(image, bytes);
}

/** The actual size of an image: JPEG and WebP are recorded only in some sizes. */
export const generatedSize = (size: PictureSize, format: PictureFormat): PictureSize =>
  format === 'png' ? size : nearestRecordedSize(size, format);

/** The length of the end marker of both PNG and JPEG. Readers ignore everything after the first one. */
const endBytes = 12;

/** Pads the image with zeros and a second end marker to this many bytes; unchanged if it is larger. */
function padded(image: Buffer, bytes: number): Buffer {
  const missing = bytes - image.length;
  if (missing < endBytes) return image;
  return Buffer.concat([image, Buffer.alloc(missing - endBytes), image.subarray(-endBytes)]);
}

export const mediaTypeOf = (format: PictureFormat): string => `image/${format}`;
