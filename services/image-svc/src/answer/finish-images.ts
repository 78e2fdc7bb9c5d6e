import type { MadeImage } from '@switchyard/dispatch';
import type { ImageAbilities, ImageCall } from '@switchyard/providers';
import { BadImage, type Pixels, type PixelSize } from '../pixels/pixels.ts';
import type { TypedImage } from '../pixels/typed-image.ts';
import { wantedFormat } from '../pixels/wanted-format.ts';

/** An image as the client gets it. */
export interface FinishedImage extends TypedImage {
  size: PixelSize | undefined;
  revisedPrompt: string | undefined;
}

export interface FinishOptions {
  call: ImageCall;
  abilities: Pick<ImageAbilities, 'outputFormats'>;
  pixels: Pixels;
  signal: AbortSignal;
}

/** Images in the format that was asked for. One that cannot be converted stays what it is, and is called so. */
export const finishImages = (images: readonly MadeImage[], options: FinishOptions): Promise<FinishedImage[]> =>
  Promise.all(images.map((image) => finishImage(image, options)));

async function finishImage(image: MadeImage, options: FinishOptions): Promise<FinishedImage> {
  const size = await options.pixels.measure(image);
  const { type, base64 } = await converted(image, options);
  return { type, base64, size, revisedPrompt: image.revisedPrompt };
}

async function converted(image: MadeImage, { call, abilities, pixels, signal }: FinishOptions): Promise<TypedImage> {
  const wanted = wantedFormat(image, call, abilities);
  if (wanted === undefined) return image;
  return pixels.convert(image, wanted, signal).catch((thrown: unknown) => {
    if (thrown instanceof BadImage) return image;
    throw thrown;
  });
}
