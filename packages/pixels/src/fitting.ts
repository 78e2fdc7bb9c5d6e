import { mostScaledPixels } from '@tallyport/providers';
import type { PixelSize } from './pixel-size.ts';

/** How an image becomes exactly the requested size: a part of it is kept, and this part is scaled. */
export interface Fitting {
  /** The provider's size. */
  readonly made: PixelSize;
  /** The middle of the image, in its own pixels. */
  readonly kept: PixelSize;
  readonly size: PixelSize;
}

/**
 * How to reach the requested size: as much of the image as has the requested ratio is kept. `undefined` if the image
 * has this size, or would have to be enlarged beyond the largest one or beyond `maxPixels`.
 */
export function fittingOf(made: PixelSize, size: PixelSize, maxPixels: number): Fitting | undefined {
  if (made.width === size.width && made.height === size.height) return undefined;
  const scale = scaleOf({ made, size });
  if (scale > 1 && size.width * size.height > Math.min(mostScaledPixels, maxPixels)) return undefined;
  const kept = { width: part(size.width / scale, made.width), height: part(size.height / scale, made.height) };
  return { made, kept, size };
}

const part = (pixels: number, whole: number): number => Math.min(whole, Math.max(1, Math.round(pixels)));

/** The factor by which the image is scaled, so that it is nowhere smaller than the requested size. */
export const scaleOf = ({ made, size }: Pick<Fitting, 'made' | 'size'>): number =>
  Math.max(size.width / made.width, size.height / made.height);
