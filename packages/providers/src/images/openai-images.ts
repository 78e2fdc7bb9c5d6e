import type { Offer } from '@switchyard/contracts';
import type { ImageAbilities, ImageCall, ImageOperation, ImageProvider, PixelSizes } from '../image-provider.ts';
import type { ChatProvider } from '../provider.ts';
import { isMembers, items, type Members, text } from '../read.ts';
import { type JudgedCall, imageFamily, posted } from './image-family.ts';
import { imageIn, named } from './entry.ts';
import { imageUrl, inputsOf } from './inputs.ts';
import type { ImagesInAnswer } from './result.ts';
import { imagesUsageIn } from './usage.ts';
import { sizeMember } from './wished-size.ts';

export interface OpenAiImagesOptions {
  /** `/images/generations` and `/images/edits` unless told. */
  path?(operation: ImageOperation): string;
  abilities?(offer: Offer): ImageAbilities;
  /** Where changing images knows other sizes than making them. */
  editSizes?: PixelSizes;
  /** What every request needs besides. */
  add?: Readonly<Record<string, unknown>>;
  /** A call without what a model refuses and nobody misses. */
  lessen?(call: ImageCall, offer: Offer): ImageCall;
}

/** OpenAI's qualities, and the words older models had for them. */
const qualities = { auto: 'auto', low: 'low', medium: 'medium', high: 'high', standard: 'medium', hd: 'high' };

const config = ['image_size', 'n'] as const;

/** What the models of OpenAI's format can be asked for, as long as nobody knows better. */
export const openAiAbilities: ImageAbilities = {
  sizes: {
    kind: 'free',
    leastSide: 16,
    mostSide: 3840,
    multipleOf: 16,
    leastPixels: 655_360,
    mostPixels: 3840 * 2160,
    mostRatio: 3,
  },
  mostPerCall: 10,
  config,
  mostWanted: 10,
  qualities,
  transparency: true,
  outputFormats: ['png', 'jpeg', 'webp'],
  mostPrompt: 32_000,
  inputs: inputsOf({}),
};

/** A vendor of OpenAI's images format, reached and failing as its chats do. */
export function openAiImages(chat: ChatProvider, options: OpenAiImagesOptions = {}): ImageProvider {
  const { path = usualPath, abilities = () => openAiAbilities, editSizes, add = {}, lessen = (call) => call } = options;
  return imageFamily(chat, {
    abilities,
    request(asked) {
      const call = lessen(asked.call, asked.offer);
      const sizes = (call.operation === 'edit' ? editSizes : undefined) ?? asked.abilities.sizes;
      const body = bodyOf({ ...asked, call, abilities: { ...asked.abilities, sizes } });
      return posted(path(call.operation), { ...body, ...add });
    },
    read: (body) => foundIn(body, chat.error),
    error: chat.error,
  });
}

const usualPath = (operation: ImageOperation): string =>
  operation === 'edit' ? '/images/edits' : '/images/generations';

function bodyOf({ call, offer, abilities: { sizes, qualities: known } }: JudgedCall): object {
  const { quality, background, user } = call;
  return {
    model: offer.modelName,
    prompt: call.prompt,
    n: call.n,
    ...(call.operation === 'edit' && changes(call)),
    ...sizeMember(call, sizes),
    ...(quality !== undefined && { quality: known?.[quality] }),
    ...(background && { background }),
    ...outputOf(call),
    ...(user && { user }),
  };
}

const changes = ({ images, inputFidelity }: ImageCall): object => ({
  images: images.map((image) => ({ image_url: imageUrl(image) })),
  ...(inputFidelity && { input_fidelity: inputFidelity }),
});

function outputOf({ outputFormat, outputCompression }: ImageCall): object {
  if (outputFormat === undefined) return {};
  // Of PNG there is nothing to be lost.
  const compressed = outputFormat !== 'png' && outputCompression !== undefined;
  return { output_format: outputFormat, ...(compressed && { output_compression: outputCompression }) };
}

/** Entries of this format: an image, or an error where one of several could not be made. */
function foundIn(body: Members, errorIn: ChatProvider['error']): ImagesInAnswer {
  const entries = items(body.data).filter(isMembers);
  const outputFormat = text(body.output_format);
  const mediaType = outputFormat === undefined ? undefined : `image/${outputFormat}`;
  return {
    kind: 'made',
    images: entries.flatMap((entry) => imageIn(entry, mediaType) ?? []),
    failures: entries.filter(({ error }) => isMembers(error)).map((entry) => errorIn(500, {}, entry)),
    ...named('usage', imagesUsageIn(body.usage)),
    ...named('background', text(body.background)),
    ...named('quality', text(body.quality)),
    ...named('outputFormat', outputFormat),
  };
}
