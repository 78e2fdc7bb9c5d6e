import { randomUUID } from 'node:crypto';
import type { ServedImages } from '@switchyard/dispatch';
import { metadataOf, type ServedRequest } from '@switchyard/serving';
import { longStrings, stringifyWithLongStrings } from '@switchyard/wire';
import type { FinishedImage } from './finish-images.ts';

export interface ImagesAnswer {
  served: ServedRequest;
  /** Unix seconds. */
  created: number;
  made: Omit<ServedImages, 'images'>;
  images: readonly FinishedImage[];
}

/** The answer of both endpoints in slices: an image is its provider's bytes, not a copy. */
export function imagesSlices({ served, created, made, images }: ImagesAnswer): Buffer[] {
  const strings = longStrings(
    randomUUID(),
    images.map(({ base64 }) => base64),
  );
  const texts = [...strings.byPlaceholder.keys()];
  const [first] = images;
  const answer = {
    created,
    data: images.map(({ revisedPrompt }, at) => ({
      b64_json: texts[at],
      ...(revisedPrompt !== undefined && { revised_prompt: revisedPrompt }),
    })),
    ...(made.background && { background: made.background }),
    ...(first && { output_format: first.type.slice('image/'.length) }),
    ...(made.quality && { quality: made.quality }),
    ...(first?.size && { size: `${first.size.width}x${first.size.height}` }),
    usage: usageOf(made, images.length),
    metadata: { ...metadataOf(served, made.routing), ...missingOf(made) },
  };
  return stringifyWithLongStrings(answer, strings);
}

/** Tokens only where the provider counts them. */
const usageOf = ({ usage, cost }: ImagesAnswer['made'], images: number) => ({
  ...usage,
  images,
  ...(cost !== undefined && { cost }),
});

/** Fewer images than were asked for are never silent. */
const missingOf = ({ failures }: ImagesAnswer['made']) =>
  failures.length === 0 ? {} : { missing: failures.map(({ code, message }) => ({ code, message })) };
