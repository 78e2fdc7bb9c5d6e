import type { createImageEncoder } from '../../images/encoded.ts';
import { imageOrdered, promptTokensOf, type ImageOrder } from '../../images/order.ts';
import { writeSize } from '../../images/size.ts';
import { wordIn } from '../../images/wishes.ts';

export interface ImageScript {
  readonly created: number;
  readonly order: ImageOrder;
  readonly n: number;
  readonly quality: string;
}

/** In OpenAI's format: the values chosen for `auto`, and the tokens used. */
export function imagesAnswer(script: ImageScript, encode: ReturnType<typeof createImageEncoder>) {
  const { created, order, n, quality } = script;
  const revised = wordIn(order.prompt, 'revised') ? { revised_prompt: `A simulated image: ${order.prompt}` } : {};
  return {
    created,
    background: order.transparent === true ? 'transparent' : 'opaque',
    data: Array.from({ length: n }, (_, index) => ({ b64_json: encode(imageOrdered(order, index)), ...revised })),
    output_format: order.format,
    quality,
    size: writeSize(order.size),
    usage: usageOf(script),
  };
}

/** What an image of 1024×1024 counts as. */
const tokensByQuality: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const tokensPerInput = 323;

function usageOf({ order, n, quality }: ImageScript) {
  const { prompt, inputs, size } = order;
  const [text, images] = [promptTokensOf(prompt), inputs.length * tokensPerInput];
  const each = Math.ceil(((tokensByQuality[quality] ?? 0) * size.width * size.height) / 1024 ** 2);
  return {
    input_tokens: text + images,
    input_tokens_details: { image_tokens: images, text_tokens: text },
    output_tokens: n * each,
    output_tokens_details: { image_tokens: n * each, text_tokens: 0 },
    total_tokens: text + images + n * each,
  };
}
