import { encodeJpeg, padJpeg } from './jpeg.ts';
import { drawPicture, type PictureWish } from './picture.ts';
import { encodePng, padPng } from './png.ts';
import { encodeWebp } from './webp.ts';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

/** One image, decided by these words alone. */
export interface ImageWish extends PictureWish {
  readonly format: ImageFormat;
  /** Exactly so many, where it is no less than the picture needs; WebP is as large as it is. */
  readonly bytes?: number | undefined;
  readonly transparent?: boolean | undefined;
}

/** Larger answers than any vendor gives. */
export const mostImageBytes = 48 * 1024 * 1024;

export function makeImage({ format, bytes = 0, transparent, ...wish }: ImageWish): Buffer {
  const picture = drawPicture(wish);
  switch (format) {
    case 'png':
      return padPng(encodePng(picture, { transparent: transparent === true }), bytes);
    case 'jpeg':
      return padJpeg(encodeJpeg(picture), bytes);
    case 'webp':
      return encodeWebp(picture);
    default:
      return format satisfies never;
  }
}

export const mediaTypeOf = (format: ImageFormat): string => `image/${format}`;
