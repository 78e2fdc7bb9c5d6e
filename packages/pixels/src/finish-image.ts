import type { ImageFormat } from '@tallyport/providers';
import { type Fitting, fittingOf } from './fitting.ts';
import type { PixelSize } from './pixel-size.ts';
import { BadImage, type Pixels, type WantedFormat } from './pixels.ts';
import type { TypedImage } from './typed-image.ts';

/** An image as it is sent to the client. */
export interface FinishedPixels extends TypedImage {
  /** `undefined` if the bytes do not contain a size. */
  size: PixelSize | undefined;
  /** How the provider's image was changed to the requested size; `undefined` if it is as the provider made it. */
  fitting: Fitting | undefined;
}

export interface FinishTerms {
  pixels: Pixels;
  /** `undefined`: keep the current format. */
  format?: WantedFormat | undefined;
  /** The exact size that was requested. */
  requested: PixelSize | undefined;
  signal: AbortSignal;
}

/** Converts an image to the requested format and size. An image that cannot be converted is returned unchanged. */
export async function finishImage(image: TypedImage, terms: FinishTerms): Promise<FinishedPixels> {
  const { pixels, requested, signal } = terms;
  const made = await pixels.measure(image);
  const unchanged = { type: image.type, base64: image.base64, size: made, fitting: undefined };
  const fitting = made && requested && fittingOf(made, requested, pixels.maxPixels);
  const format = terms.format ?? (fitting && ownFormat(image));
  if (format === undefined) return unchanged;
  try {
    const converted = await pixels.convert(image, { ...format, fitting }, signal);
    return fitting === undefined ? { ...unchanged, ...converted } : { ...converted, size: fitting.size, fitting };
  } catch (thrown) {
    if (thrown instanceof BadImage) return unchanged;
    throw thrown;
  }
}

/** High quality for lossy formats. */
const scaledQuality = 90;

/** GIF cannot be written. */
function ownFormat({ type }: TypedImage): WantedFormat {
  const format = formats.find((known) => type === `image/${known}`) ?? 'png';
  return { format, quality: scaledQuality };
}

const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];
