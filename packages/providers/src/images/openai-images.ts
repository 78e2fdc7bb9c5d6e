import type { Offer } from '@tallyport/contracts';
import type { ImageAbilities, ImageCall, ImageOperation, ImageProvider, PixelSizes } from '../spec/image-provider.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { finiteNumber, isMembers, items, type Members, text } from '../read.ts';
import { type CheckedImageCall, type EventInStream, imageFamily, posted } from './image-family.ts';
import { imageIn, named } from './entry.ts';
import { imageUrl, inputsOf } from './inputs.ts';
import type { ImagesInAnswer } from './result.ts';
import { imagesUsageIn } from './usage.ts';
import { sizeMember } from './requested-size.ts';

interface OpenAiImagesOptions {
  /** Defaults to `/images/generations` and `/images/edits`. */
  path?(operation: ImageOperation): string;
  abilities?(offer: Offer): ImageAbilities;
  /** For models whose edits have other sizes. */
  editSizes?: PixelSizes;
  /** Members added to every request. */
  add?: Readonly<Record<string, unknown>>;
  /** Removes members that a model refuses and whose loss does not matter. */
  withoutRefused?(call: ImageCall, offer: Offer): ImageCall;
  /** True if partial images are sent in a stream. */
  streams?: true;
}

/** OpenAI's qualities, and the names older models used. */
export const openAiQualities = {
  auto: 'auto',
  low: 'low',
  medium: 'medium',
  high: 'high',
  standard: 'medium',
  hd: 'high',
};

const config = ['image_size', 'n'] as const;

/** The defaults for models of OpenAI's format. */
export const openAiAbilities: ImageAbilities = {
  sizes: {
    kind: 'free',
    minSide: 16,
    maxSide: 3840,
    multipleOf: 16,
    leastPixels: 655_360,
    maxPixels: 3840 * 2160,
    maxRatio: 3,
  },
  mostPerCall: 10,
  config,
  maxImages: 10,
  qualities: openAiQualities,
  transparency: true,
  outputFormats: ['png', 'jpeg', 'webp'],
  maxPromptLength: 32_000,
  inputs: inputsOf({}),
};

/** An image provider of OpenAI's images format, with the address and error handling of its chat provider. */
export function openAiImages(chat: ChatProvider, options: OpenAiImagesOptions = {}): ImageProvider {
  const {
    path = usualPath,
    abilities = () => openAiAbilities,
    editSizes,
    add = {},
    withoutRefused = (call) => call,
    streams = false,
  } = options;
  return imageFamily(chat, {
    abilities,
    request(asked) {
      const call = withoutRefused(asked.call, asked.offer);
      const sizes = (call.operation === 'edit' ? editSizes : undefined) ?? asked.abilities.sizes;
      const body = bodyOf({ ...asked, call, abilities: { ...asked.abilities, sizes } });
      const { partialImages } = call;
      if (!streams || partialImages === undefined) return posted(path(call.operation), { ...body, ...add });
      const streamed = { ...body, ...add, stream: true, partial_images: partialImages };
      return posted(path(call.operation), streamed, { accept: 'text/event-stream' });
    },
    read: (body) => imagesInBody(body, chat.error),
    ...(streams && { readEvent: (event: Members) => imageInEvent(event, chat.error) }),
    error: chat.error,
  });
}

const usualPath = (operation: ImageOperation): string =>
  operation === 'edit' ? '/images/edits' : '/images/generations';

function bodyOf({
  call,
  offer,
  abilities: { sizes, qualities: known, complexity: isKnown },
}: CheckedImageCall): object {
  const { quality, complexity, style, background, user } = call;
  return {
    model: offer.modelName,
    prompt: call.prompt,
    n: call.n,
    ...(call.operation === 'edit' && changes(call)),
    ...sizeMember(call, sizes),
    ...(quality !== undefined && { quality: known?.[quality] }),
    ...(isKnown && complexity && { complexity }),
    ...(style && { style }),
    ...(background && { background }),
    ...outputOf(call),
    ...(user && { user }),
  };
}

const changes = ({ images, mask, inputFidelity }: ImageCall): object => ({
  images: images.map((image) => ({ image_url: imageUrl(image) })),
  ...(mask && { mask: { image_url: imageUrl(mask) } }),
  ...(inputFidelity && { input_fidelity: inputFidelity }),
});

function outputOf({ outputFormat, outputCompression }: ImageCall): object {
  if (outputFormat === undefined) return {};
  // PNG is lossless and has no compression level.
  const compressed = outputFormat !== 'png' && outputCompression !== undefined;
  return { output_format: outputFormat, ...(compressed && { output_compression: outputCompression }) };
}

/** An event holds one image, as an entry of an answer does. Events of other kinds are not known and skipped. */
function imageInEvent(event: Members, errorIn: ChatProvider['error']): EventInStream | undefined {
  const found = imagesInBody({ ...event, data: [event] }, errorIn);
  const type = text(event.type);
  if (type?.endsWith('.completed')) return { kind: 'completed', found };
  if (!type?.endsWith('.partial_image')) return undefined;
  return { kind: 'partial', index: finiteNumber(event.partial_image_index) ?? 0, found };
}

/** Entries of this format: an image, or an error if one of several images failed. */
function imagesInBody(body: Members, errorIn: ChatProvider['error']): ImagesInAnswer {
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
