import { randomUUID } from 'node:crypto';
import type { PartialImage } from '@tallyport/dispatch';
import { sizeText } from '@tallyport/pixels';
import type { ImageOperation } from '@tallyport/providers';
import { documentEvent, type DocumentEvent, longStrings } from '@tallyport/wire';
import type { FinishedImage } from './finish-images.ts';
import { type ImagesAnswer, answerMetadata, answerUsage } from './images-answer.ts';

interface ShownImage {
  operation: ImageOperation;
  /** Unix seconds. */
  created: number;
  partial: Pick<PartialImage, 'index' | 'background' | 'quality'>;
  image: FinishedImage;
}

/** The event of a partial image. */
export const partialEvent = ({ operation, created, partial, image }: ShownImage): DocumentEvent =>
  imageEvent(`${names[operation]}.partial_image`, image, {
    ...facts({ created, made: partial, image }),
    partial_image_index: partial.index,
  });

/** The events of the finished images. The usage of all of them is in the last one, so that a sum counts it once. */
export function completedEvents(operation: ImageOperation, answer: ImagesAnswer): DocumentEvent[] {
  const { created, images, made } = answer;
  return images.map((image, at) => {
    const isLast = at === images.length - 1;
    return imageEvent(`${names[operation]}.completed`, image, {
      ...facts({ created, made, image }),
      ...(image.revisedPrompt !== undefined && { revised_prompt: image.revisedPrompt }),
      usage: isLast ? answerUsage(answer) : noUsage,
      ...(isLast && { metadata: answerMetadata(answer) }),
    });
  });
}

const names = { generate: 'image_generation', edit: 'image_edit' } as const;

const noUsage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, images: 0 };

interface Facts {
  created: number;
  made: { readonly background?: string; readonly quality?: string };
  image: FinishedImage;
}

/** Members of every event. `auto` is a value that clients know, for what a provider does not report. */
const facts = ({ created, made, image: { type, size } }: Facts) => ({
  created_at: created,
  size: size === undefined ? 'auto' : sizeText(size),
  quality: made.quality ?? 'auto',
  background: made.background ?? 'auto',
  output_format: type.slice('image/'.length),
});

function imageEvent(type: string, { base64 }: FinishedImage, members: object): DocumentEvent {
  const strings = longStrings(randomUUID(), [base64]);
  const [b64_json] = strings.byPlaceholder.keys();
  return documentEvent(type, { type, b64_json, ...members }, strings);
}
