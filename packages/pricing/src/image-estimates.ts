import { noTokens, type Offer } from '@tallyport/contracts';
import type { ImagesUsage } from '@tallyport/wire';
import { estimateTextTokens, type RequestEstimate, tokensPerInputImage, tokensPerMadeImage } from './estimates.ts';

type Pricing = Offer['pricing'];

export interface WantedImages {
  readonly prompt: string;
  readonly n: number;
  /** Images that are given to be edited. */
  readonly images: readonly unknown[];
  readonly quality?: string;
  /** `1536x1024`, or `auto`. */
  readonly size?: string;
  readonly partialImages?: number;
}

/**
 * How many tokens an image of this quality has, compared with one of medium quality. No figures are published for
 * `xhigh` and `max`.
 */
const qualities: Readonly<Record<string, number>> = {
  low: 0.3,
  medium: 1,
  standard: 1,
  high: 4,
  hd: 4,
  xhigh: 4,
  max: 4,
};
/** A vendor that chooses the quality may choose the best. */
const bestQuality = 4;
/** A wide or tall image has at most this many times the tokens of a square one. */
const mostBySize = 1.5;
const squarePixels = 1_024 * 1_024;
/** A vendor counts each partial image as this many tokens. */
const tokensPerPartialImage = 100;
/** About what an image to edit counts at the highest fidelity. */
const tokensPerEditedImage = 7_000;

/** Tokens of the prompt and of the images to edit. */
export const estimateImagePrompt = ({ prompt, images }: { prompt: string; images: number }): number =>
  estimateTextTokens(prompt.length) + images * tokensPerInputImage;

/**
 * The highest usual usage of an image request. An offer that prices the tokens of images is charged by them, so they
 * are reserved even if it has a price per image as well.
 */
export function estimateImages(wanted: WantedImages): RequestEstimate {
  const { prompt, n, images, quality = '', partialImages = 0 } = wanted;
  const input = estimateTextTokens(prompt.length);
  const factor = (qualities[quality] ?? bestQuality) * sizeFactor(wanted);
  return {
    tokens: input + images.length * tokensPerInputImage + n * tokensPerMadeImage,
    at: ({ pricing }) => {
      const medium = mediumImageTokens(pricing);
      if (medium === undefined) return { tokens: noTokens, images: n };
      const imageOut = n * (Math.ceil(medium * factor) + partialImages * tokensPerPartialImage);
      return { tokens: { ...noTokens, input, imageIn: images.length * tokensPerEditedImage, imageOut }, images: n };
    },
  };
}

/**
 * The estimated usage of images whose request ended before its usage was known, used for billing; `undefined` if the
 * offer does not price their tokens.
 */
export function estimateImagesUsage(wanted: WantedImages, { pricing }: Offer): ImagesUsage | undefined {
  const { prompt, n, images, quality = '' } = wanted;
  const medium = mediumImageTokens(pricing);
  if (medium === undefined) return undefined;
  const input = estimateImagePrompt({ prompt, images: images.length });
  const output = n * Math.ceil(medium * (qualities[quality] ?? 1) * sizeFactor(wanted));
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    output_tokens_details: { text_tokens: 0, image_tokens: output },
  };
}

/** Tokens of an image of medium quality, which the price per image is for; `undefined` if tokens have no price. */
function mediumImageTokens({ prompt, completion, image, image_output: imageOutput }: Pricing): number | undefined {
  const each = imageOutput ?? completion;
  if (prompt === undefined || each === undefined) return undefined;
  if (image === undefined) return tokensPerMadeImage;
  const tokens = Number(image) / Number(each);
  return Number.isFinite(tokens) ? tokens : undefined;
}

function sizeFactor({ size = '' }: WantedImages): number {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const factor = (width * height) / squarePixels;
  return factor > 1 ? Math.min(factor, mostBySize) : 1;
}
