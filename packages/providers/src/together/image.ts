import type { ImageAbilities } from '../image-provider.ts';
import { imageIn } from '../images/entry.ts';
import { type JudgedCall, imageFamily, posted } from '../images/image-family.ts';
import { imageUrl, inputsOf } from '../images/inputs.ts';
import { pixelsFor } from '../images/wished-size.ts';
import { isMembers, items } from '../read.ts';
import { together as chat } from './chat.ts';

/** Open models. Which of them change images is the catalogue's to say. */
const abilities: ImageAbilities = {
  sizes: {
    kind: 'free',
    leastSide: 256,
    mostSide: 1792,
    multipleOf: 16,
    leastPixels: 256 * 256,
    mostPixels: 1792 * 1792,
    mostRatio: 4,
  },
  mostPerCall: 4,
  config: ['image_size', 'n', 'seed'],
  mostWanted: 10,
  mostSeed: 2_147_483_647,
  transparency: false,
  outputFormats: [],
  mostPrompt: 8_000,
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

function bodyOf({ call, offer, abilities: { sizes } }: JudgedCall): object {
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
