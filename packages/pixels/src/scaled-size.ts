import type { PixelSize } from './pixels.ts';

/** Ratios this close count as equal: scaling crops at most a hundredth of one side. */
const sameRatio = 0.01;

/**
 * The requested size, if the image has the same ratio and is at least as large. Otherwise `undefined`, because images
 * are neither enlarged nor distorted.
 */
export function scaledSize(made: PixelSize, requested: PixelSize): PixelSize | undefined {
  if (made.width === requested.width && made.height === requested.height) return undefined;
  if (made.width < requested.width || made.height < requested.height) return undefined;
  const stretch = (made.width * requested.height) / (made.height * requested.width);
  return Math.abs(Math.log(stretch)) <= sameRatio ? requested : undefined;
}
