import type { MadeImage } from '@tallyport/dispatch';
import { finishImage, type FinishedPixels, type Pixels, wantedFormat } from '@tallyport/pixels';
import { type ImageAbilities, type ImageCall, requestedPixels } from '@tallyport/providers';

/** An image in the form that the client gets. */
export interface FinishedImage extends FinishedPixels {
  revisedPrompt: string | undefined;
}

export interface FinishOptions {
  call: ImageCall;
  abilities: Pick<ImageAbilities, 'outputFormats' | 'styles'>;
  pixels: Pixels;
  signal: AbortSignal;
}

/** Converts images to the requested format and size. */
export const finishImages = (images: readonly MadeImage[], options: FinishOptions): Promise<FinishedImage[]> =>
  Promise.all(images.map((image) => finished(image, options)));

async function finished(image: MadeImage, { call, abilities, pixels, signal }: FinishOptions): Promise<FinishedImage> {
  const format = wantedFormat(image, call, abilities);
  const done = await finishImage(image, { pixels, format, requested: requestedPixels(call), signal });
  return { ...done, revisedPrompt: image.revisedPrompt };
}
