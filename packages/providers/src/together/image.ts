import type { ImageAbilities } from '../spec/image-provider.ts';
import { imageIn } from '../images/entry.ts';
import { type CheckedImageCall, imageFamily, posted } from '../images/image-family.ts';
import { imageUrl, inputsOf } from '../images/inputs.ts';
import { pixelsFor } from '../images/requested-size.ts';
import { isMembers, items } from '../read.ts';
import { together as chat } from './chat.ts';

/** Open models. The catalogue decides which of them edit images. */
const abilities: ImageAbilities = {
  sizes: {
    kind: 'free',
    minSide: 256,
    maxSide: 1792,
    multipleOf: 16,
    leastPixels: 256 * 256,
    maxPixels: 1792 * 1792,
    maxRatio: 4,
  },
  mostPerCall: 4,
  config: ['image_size', 'n', 'seed'],
  maxImages: 10,
  maxSeed: 2_147_483_647,
  transparency: false,
  outputFormats: [],
  maxPromptLength: 8_000,
  inputs: inputsOf({ count: 1 }),
};

export const togetherImage = imageFamily(chat, {
  abilities: () => abilities,
  request: (asked) => posted('/images/generations', bodyOf(asked)),
  read: (body) => ({
    kind: 'made',
    images: items(body.data)
      .filter(isMembers)
      .flatMap((entry) => imageIn(entry, undefined) ?? []),
  }),
  error: chat.error,
});

function bodyOf({ call, offer, abilities: { sizes } }: CheckedImageCall): object {
  const [image] = call.images;
  const seed = call.config?.seed;
  return {
    model: offer.modelName,
    prompt: call.prompt,
    ...pixelsFor(call, sizes),
    n: call.n,
    ...(seed !== undefined && { seed }),
    ...(image && { image_url: imageUrl(image) }),
    response_format: 'base64',
  };
}
