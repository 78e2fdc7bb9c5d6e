import { decodedLength, type MadeImage } from '@tallyport/dispatch';
import { finishImage, type FinishTerms, type FinishedPixels } from '@tallyport/pixels';

interface SizedImages {
  readonly images: readonly MadeImage[];
  readonly sizes: readonly Pick<FinishedPixels, 'fitting' | 'size'>[];
}

/** Crops and scales images to the requested size. Without an exact size nothing is decoded. */
export async function inRequestedSize(images: readonly MadeImage[], terms: FinishTerms): Promise<SizedImages> {
  if (terms.requested === undefined) return { images, sizes: [] };
  const finished = await Promise.all(images.map((image) => finishImage(image, terms)));
  return {
    images: images.map((image, at) => ({ ...image, ...bytesOf(finished[at]) })),
    sizes: finished,
  };
}

const bytesOf = (finished: FinishedPixels | undefined) =>
  finished && { type: finished.type, base64: finished.base64, bytes: decodedLength(finished.base64) };
