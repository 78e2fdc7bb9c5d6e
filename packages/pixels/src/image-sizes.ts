import type { FinishedPixels } from './finish-image.ts';
import type { PixelSize } from './pixels.ts';

export const sizeText = ({ width, height }: PixelSize): string => `${width}x${height}`;

/** Metadata members for an exact requested size that differs from the provider's size; empty otherwise. */
export function imageSizes(
  images: readonly Pick<FinishedPixels, 'originalSize' | 'size'>[],
  requested: PixelSize | undefined,
) {
  if (requested === undefined) return {};
  const requestedSize = sizeText(requested);
  const sizes = images.map(({ size, originalSize }) => ({
    requested_size: requestedSize,
    ...(size && { size: sizeText(size) }),
    ...(originalSize && { made_size: sizeText(originalSize) }),
  }));
  const isAsRequested = sizes.every((each) => each.size === requestedSize && each.made_size === undefined);
  return isAsRequested ? {} : { images: sizes };
}
