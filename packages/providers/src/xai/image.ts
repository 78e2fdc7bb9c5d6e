import type { ImageAbilities, ShapeSizes } from '../spec/image-provider.ts';
import { imageIn, named } from '../images/entry.ts';
import { type CheckedImageCall, imageFamily, posted } from '../images/image-family.ts';
import { imageUrl, inputsOf } from '../images/inputs.ts';
import { type ImagesInAnswer, refusedImage } from '../images/result.ts';
import { shapeFor } from '../images/requested-size.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { xai as chat } from './chat.ts';
import { usdOf } from './usage.ts';

const squarish = ['1:1', '4:3', '3:4', '3:2', '2:3'];
const long = ['16:9', '9:16', '2:1', '1:2', '19.5:9', '9:19.5', '20:9', '9:20'];

const imagineSizes: ShapeSizes = {
  kind: 'shape',
  aspectRatios: [...squarish, ...long, 'auto'],
  classes: { '1K': '1k', '2K': '2k' },
};

const imagine: ImageAbilities = {
  sizes: imagineSizes,
  mostPerCall: 10,
  config: ['aspect_ratio', 'image_size', 'n'],
  maxImages: 10,
  transparency: false,
  outputFormats: ['jpeg'],
  maxPromptLength: 8_000,
  inputs: inputsOf({ count: 3, totalBytes: 60 * 1024 * 1024 }),
};

/** The second generation has qualities, two more ratios and up to five input images. */
const imagine2: ImageAbilities = {
  ...imagine,
  sizes: { ...imagineSizes, aspectRatios: [...imagineSizes.aspectRatios, '21:9', '5:2'] },
  qualities: { low: 'low', medium: 'medium', standard: 'medium', auto: 'medium' },
  inputs: inputsOf({ count: 5, totalBytes: 60 * 1024 * 1024 }),
};

const { inputs: _inputs, ...withoutInputs } = imagine;

/** Its images have one size and are made from text alone. */
const grok2: ImageAbilities = { ...withoutInputs, sizes: { kind: 'none' }, config: ['n'] };

/** Grok Imagine. The vendor refuses sizes in pixels, so the nearest ratio is requested. */
export const xaiImage = imageFamily(chat, {
  abilities: ({ modelName }) => abilitiesOf(modelName),
  request: toRequest,
  read,
  error: chat.error,
});

function abilitiesOf(modelName: string): ImageAbilities {
  if (modelName.startsWith('grok-2')) return grok2;
  return modelName.includes('-2.0') ? imagine2 : imagine;
}

function toRequest({ call, offer, abilities: { sizes, qualities } }: CheckedImageCall): UpstreamRequest {
  const { aspectRatio, imageSize } = shapeFor(call, sizes);
  const resolution = sizes.kind === 'shape' && imageSize !== undefined ? sizes.classes[imageSize] : undefined;
  const images = call.images.map((image) => ({ url: imageUrl(image), type: 'image_url' }));
  return posted(call.operation === 'edit' ? '/images/edits' : '/images/generations', {
    model: offer.modelName,
    prompt: call.prompt,
    ...(images.length === 1 ? { image: images[0] } : images.length > 1 && { images }),
    n: call.n,
    ...named('aspect_ratio', aspectRatio),
    ...named('resolution', resolution),
    ...named('quality', call.quality === undefined ? undefined : qualities?.[call.quality]),
    response_format: 'b64_json',
    ...(call.user && { user: call.user }),
  });
}

/** A refused image is an entry with an error. */
function read(body: Members): ImagesInAnswer {
  const entries = items(body.data).filter(isMembers);
  const [blocked, good] = [entries.filter(isBlocked), entries.filter((entry) => !isBlocked(entry))];
  const cost = usdOf(members(body.usage));
  return {
    kind: 'made',
    images: good.flatMap((entry) => imageIn(entry, text(entry.mime_type) ?? 'image/jpeg') ?? []),
    failures: blocked.map(() => refusedImage(chat.id)),
    ...(cost !== undefined && { usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost } }),
  };
}

const isBlocked = ({ respect_moderation: respected }: Members): boolean => respected === false;
