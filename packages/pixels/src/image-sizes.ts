import type { FinishedPixels } from './finish-image.ts';
import { type Fitting, scaleOf } from './fitting.ts';
import { type PixelSize, sizeText } from './pixel-size.ts';

/** Metadata members for an exact requested size that differs from the provider's size; empty otherwise. */
export function imageSizes(
  images: readonly Pick<FinishedPixels, 'fitting' | 'size'>[],
  requested: PixelSize | undefined,
) {
  if (requested === undefined) return {};
  const requestedSize = sizeText(requested);
  const sizes = images.map(({ size, fitting }) => ({
    requested_size: requestedSize,
    ...(size && { size: sizeText(size) }),
    ...(fitting && changesOf(fitting)),
  }));
  const isAsRequested = sizes.every((each) => each.size === requestedSize && each.made_size === undefined);
  return isAsRequested ? {} : { images: sizes };
}

/** What was made, which part of it was kept, and by which factor this part was scaled. */
function changesOf(fitting: Fitting): { made_size: string; cropped_size?: string; scale?: number } {
  const made = sizeText(fitting.made);
  const kept = sizeText(fitting.kept);
  const scale = Math.round(scaleOf(fitting) * 1000) / 1000;
  return { made_size: made, ...(kept !== made && { cropped_size: kept }), ...(scale !== 1 && { scale }) };
}
