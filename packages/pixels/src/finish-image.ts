import type { ImageFormat } from '@tallyport/providers';
import { BadImage, type Pixels, type PixelSize, type WantedFormat } from './pixels.ts';
import { scaledSize } from './scaled-size.ts';
import type { TypedImage } from './typed-image.ts';

/** An image as it is sent to the client. */
export interface FinishedPixels extends TypedImage {
  /** `undefined` if the bytes do not contain a size. */
  size: PixelSize | undefined;
  /** The provider's size, if the image was scaled. */
  originalSize: PixelSize | undefined;
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
  const unchanged = { type: image.type, base64: image.base64, size: made, originalSize: undefined };
  const size = made && requested && scaledSize(made, requested);
  const format = terms.format ?? (size && ownFormat(image));
  if (format === undefined) return unchanged;
  try {
    const converted = await pixels.convert(image, { ...format, size }, signal);
    return size === undefined ? { ...unchanged, ...converted } : { ...converted, size, originalSize: made };
  } catch (thrown) {
    if (thrown instanceof BadImage) return unchanged;
    throw thrown;
  }
}

/** High quality for lossy formats. */
const scaledQuality = 90;

/** `undefined` for GIF, which cannot be written. */
function ownFormat({ type }: TypedImage): WantedFormat | undefined {
  const format = formats.find((known) => type === `image/${known}`);
  return format && { format, quality: scaledQuality };
}

const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];
