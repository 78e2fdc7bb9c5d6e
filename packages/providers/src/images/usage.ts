import type { ImagesUsage } from '@tallyport/wire';
import { isMembers, type Members, members } from '../read.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';

type Details = NonNullable<ImagesUsage['input_tokens_details']>;

/** The usage in OpenAI's image format; `undefined` if there is none. */
export function imagesUsageIn(raw: unknown): ImagesUsage | undefined {
  const usage = members(raw);
  const input = tokenCount(usage.input_tokens);
  const output = tokenCount(usage.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  if (hasNoCount(usage.input_tokens, usage.output_tokens)) return undefined;
  return imagesUsage({
    input: input ?? 0,
    output: output ?? 0,
    inputDetails: detailsIn(usage.input_tokens_details),
    outputDetails: outputDetailsIn(usage.output_tokens_details, output ?? 0),
  });
}

/** The image endpoints answer with images, so output that is not counted as text is images. Streams do not divide it. */
function outputDetailsIn(raw: unknown, output: number): Details {
  const { text_tokens: text, image_tokens: image } = detailsIn(raw) ?? { text_tokens: 0, image_tokens: 0 };
  return { text_tokens: text, image_tokens: Math.max(image, output - text) };
}

interface ImageTokens {
  input: number;
  output: number;
  inputDetails?: Details | undefined;
  outputDetails?: Details | undefined;
}

export const imagesUsage = ({ input, output, inputDetails, outputDetails }: ImageTokens): ImagesUsage => ({
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  ...(inputDetails && { input_tokens_details: inputDetails }),
  ...(outputDetails && { output_tokens_details: outputDetails }),
});

/** Splits a total into tokens of images and of text; `undefined` if the number of image tokens is unknown. */
export const splitTokens = (total: number, images: number | undefined): Details | undefined =>
  images === undefined
    ? undefined
    : { text_tokens: Math.max(0, total - images), image_tokens: Math.min(images, total) };

function detailsIn(raw: unknown): Details | undefined {
  if (!isMembers(raw)) return undefined;
  const { text_tokens: text, image_tokens: image }: Members = raw;
  return { text_tokens: tokenCount(text) ?? 0, image_tokens: tokenCount(image) ?? 0 };
}
