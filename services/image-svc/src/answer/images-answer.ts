import { randomUUID } from 'node:crypto';
import type { ServedImages } from '@tallyport/dispatch';
import { imageSizes, type PixelSize, sizeText } from '@tallyport/pixels';
import type { AppliedStyle } from '@tallyport/providers';
import { metadataOf, type ServedRequest } from '@tallyport/serving';
import { type AnswerDocument, documentOf, longStrings } from '@tallyport/wire';
import type { FinishedImage } from './finish-images.ts';

export interface ImagesAnswer {
  served: ServedRequest;
  /** Unix seconds. */
  created: number;
  made: Omit<ServedImages, 'images'>;
  images: readonly FinishedImage[];
  /** The exact size that was requested, if any. */
  requested: PixelSize | undefined;
  /** How the requested style reached the model, if any was requested. */
  style: AppliedStyle | undefined;
}

/** The answer of both endpoints; images remain the provider's bytes, uncopied. */
export function imagesDocument(answer: ImagesAnswer): AnswerDocument {
  const { created, made, images } = answer;
  const strings = longStrings(
    randomUUID(),
    images.map(({ base64 }) => base64),
  );
  const texts = [...strings.byPlaceholder.keys()];
  const [first] = images;
  const document = {
    created,
    data: images.map(({ revisedPrompt }, at) => ({
      b64_json: texts[at],
      ...(revisedPrompt !== undefined && { revised_prompt: revisedPrompt }),
    })),
    ...(made.background && { background: made.background }),
    ...(first && { output_format: first.type.slice('image/'.length) }),
    ...(made.quality && { quality: made.quality }),
    ...(first?.size && { size: sizeText(first.size) }),
    usage: answerUsage(answer),
    metadata: answerMetadata(answer),
  };
  return documentOf(document, strings);
}

/** Tokens are included only if the provider counts them. */
export const answerUsage = ({ made: { usage, cost }, images }: ImagesAnswer) => ({
  ...usage,
  images: images.length,
  ...(cost !== undefined && { cost }),
});

export const answerMetadata = ({ served, made, images, requested, style }: ImagesAnswer) => ({
  ...metadataOf(served, made.routing),
  ...imageSizes(images, requested),
  ...(style && { style }),
  ...missingOf(made),
});

/** Reports the requested images that were not made, so that fewer images are never silent. */
const missingOf = ({ failures }: ImagesAnswer['made']) =>
  failures.length === 0 ? {} : { missing: failures.map(({ code, message }) => ({ code, message })) };
