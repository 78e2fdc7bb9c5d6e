import type { createImageEncoder } from '../../images/encoded.ts';
import { imageSpecOf, promptTokensOf, type ImageOrder } from '../../images/order.ts';
import { writeSize } from '../../images/size.ts';
import { hasImageDirective } from '../../images/directives.ts';

export interface ImageScript {
  readonly created: number;
  readonly order: ImageOrder;
  readonly n: number;
  readonly quality: string;
}

/** In OpenAI's format, with the values chosen for `auto` and the token usage. */
export function imagesAnswer(script: ImageScript, encode: ReturnType<typeof createImageEncoder>) {
  const { created, order, n, quality } = script;
  const revised = hasImageDirective(order.prompt, 'revised')
    ? { revised_prompt: `A simulated image: ${order.prompt}` }
    : {};
  return {
    created,
    background: madeBackground(order),
    data: Array.from({ length: n }, (_, index) => ({ b64_json: encode(imageSpecOf(order, index)), ...revised })),
    output_format: order.format,
    quality,
    size: writeSize(order.size),
    usage: imageTokens(script),
  };
}

export const madeBackground = ({ transparent }: ImageOrder): string =>
  transparent === true ? 'transparent' : 'opaque';

/** The tokens of an image of 1024×1024. */
const tokensByQuality: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const tokensPerInput = 323;

export function imageTokens({ order, n, quality }: ImageScript, more = 0) {
  const { prompt, inputs, size } = order;
  const [text, images] = [promptTokensOf(prompt), inputs.length * tokensPerInput];
  const each = Math.ceil(((tokensByQuality[quality] ?? 0) * size.width * size.height) / 1024 ** 2);
  const output = n * each + more;
  return {
    input_tokens: text + images,
    input_tokens_details: { image_tokens: images, text_tokens: text },
    output_tokens: output,
    output_tokens_details: { image_tokens: output, text_tokens: 0 },
    total_tokens: text + images + output,
  };
}
