import type { ImageAbilities } from '../spec/image-provider.ts';
import { imageIn, named } from '../images/entry.ts';
import { type CheckedImageCall, imageFamily, posted } from '../images/image-family.ts';
import { imageUrl, inputsOf } from '../images/inputs.ts';
import type { ImagesInAnswer } from '../images/result.ts';
import { imagesUsage } from '../images/usage.ts';
import { sizeMember } from '../images/requested-size.ts';
import { isMembers, items, type Members, members } from '../read.ts';
import { tokenCount } from '../token-counts.ts';
import { bytedance as chat } from './chat.ts';

const sides = { maxSide: 4096, multipleOf: 1, maxPixels: 4096 * 4096 };

/** From 2K to 4K; smaller requests are enlarged. */
const large: ImageAbilities = {
  sizes: { kind: 'free', ...sides, minSide: 900, leastPixels: 3_686_400, maxRatio: 4 },
  mostPerCall: 1,
  config: ['image_size'],
  maxImages: 10,
  transparency: false,
  outputFormats: ['jpeg'],
  maxPromptLength: 4_000,
  // The vendor combines up to ten images.
  inputs: inputsOf({
    count: 10,
    bytes: 10 * 1024 * 1024,
    totalBytes: 64 * 1024 * 1024,
    mediaTypes: ['image/png', 'image/jpeg'],
  }),
};

/** The first generation also makes images of about a megapixel. */
const fromOneK: ImageAbilities = {
  ...large,
  sizes: { kind: 'free', ...sides, minSide: 240, leastPixels: 921_600, maxRatio: 16 },
};

/** Later models make PNG on request. */
const withFormats: ImageAbilities = { ...large, outputFormats: ['jpeg', 'png'] };

function abilitiesOf(modelName: string): ImageAbilities {
  if (/seedream-(3|4-0)/.test(modelName)) return fromOneK;
  return /seedream-4/.test(modelName) ? large : withFormats;
}

/** Seedream. */
export const bytedanceImage = imageFamily(chat, {
  abilities: ({ modelName }) => abilitiesOf(modelName),
  request: (asked) => posted('/images/generations', bodyOf(asked)),
  read,
  error: chat.error,
});

function bodyOf({ call, offer, abilities: { sizes, outputFormats } }: CheckedImageCall): object {
  const [first, ...more] = call.images.map(imageUrl);
  const { outputFormat } = call;
  const asked = outputFormat !== undefined && outputFormats.length > 1 && outputFormats.includes(outputFormat);
  return {
    model: offer.modelName,
    prompt: call.prompt,
    ...(first !== undefined && { image: more.length === 0 ? first : [first, ...more] }),
    ...sizeMember(call, sizes),
    ...(asked && { output_format: outputFormat }),
    sequential_image_generation: 'disabled',
    response_format: 'b64_json',
    watermark: false,
  };
}

/** A failed image is an entry among the others. */
function read(body: Members): ImagesInAnswer {
  const entries = items(body.data).filter(isMembers);
  const output = tokenCount(members(body.usage).output_tokens);
  const usage = output === undefined ? undefined : imagesUsage({ input: 0, output });
  return {
    kind: 'made',
    images: entries.flatMap((entry) => imageIn(entry, 'image/jpeg') ?? []),
    failures: entries.filter(({ error }) => isMembers(error)).map((entry) => chat.error(500, {}, entry)),
    ...named('usage', usage),
  };
}
