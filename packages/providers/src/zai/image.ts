import type { ImageAbilities } from '../spec/image-provider.ts';
import { imageIn } from '../images/entry.ts';
import { type CheckedImageCall, imageFamily, posted } from '../images/image-family.ts';
import { refusedImage, type ImagesInAnswer } from '../images/result.ts';
import { sizeMember } from '../images/requested-size.ts';
import { isMembers, items, type Members, members, finiteNumber } from '../read.ts';
import { zai as chat } from './chat.ts';

const cogview: ImageAbilities = {
  sizes: {
    kind: 'free',
    minSide: 512,
    maxSide: 2048,
    multipleOf: 16,
    leastPixels: 512 * 512,
    maxPixels: 2 ** 21,
    maxRatio: 4,
  },
  mostPerCall: 1,
  config: ['image_size', 'n'],
  maxImages: 10,
  qualities: { standard: 'standard', hd: 'hd', auto: 'standard', low: 'standard', medium: 'standard', high: 'hd' },
  transparency: false,
  outputFormats: [],
  maxPromptLength: 32_000,
};

/** Only one quality. */
const { qualities: _qualities, ...onlyHd } = cogview;

const glm: ImageAbilities = {
  ...onlyHd,
  sizes: {
    kind: 'free',
    minSide: 1024,
    maxSide: 2048,
    multipleOf: 32,
    leastPixels: 1024 * 1024,
    maxPixels: 2 ** 22,
    maxRatio: 2,
  },
};

/** GLM-Image and CogView. */
export const zaiImage = imageFamily(chat, {
  resultHosts: ['*.z.ai', '*.bigmodel.cn', '*.chatglm.cn', '*.ufileos.com'],
  abilities: ({ modelName }) => (modelName.startsWith('cogview') ? cogview : glm),
  request: (asked) => posted('/images/generations', bodyOf(asked)),
  read,
  error: chat.error,
});

function bodyOf({ call, offer, abilities: { sizes, qualities } }: CheckedImageCall): object {
  const { prompt, quality, user } = call;
  return {
    model: offer.modelName,
    prompt,
    ...sizeMember(call, sizes),
    ...(quality !== undefined && qualities && { quality: qualities[quality] }),
    ...(user !== undefined && user.length >= 6 && user.length <= 128 && { user_id: user }),
  };
}

/** Level 0 is the most severe. */
const harmless = 3;

/** Without an image, a content filter level below harmless means that the request was refused. */
function read(body: Members): ImagesInAnswer {
  const images = items(body.data)
    .filter(isMembers)
    .flatMap((entry) => imageIn(entry, undefined) ?? []);
  const levels = items(body.content_filter).map((filter) => finiteNumber(members(filter).level) ?? harmless);
  const filtered = images.length === 0 && levels.some((level) => level < harmless);
  return { kind: 'made', images, failures: filtered ? [refusedImage(chat.id)] : [] };
}
