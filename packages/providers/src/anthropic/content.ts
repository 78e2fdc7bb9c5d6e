import { GatewayError } from '@tallyport/contracts';
import type {
  MessagesBlock,
  MessagesCacheControl,
  MessagesDocument,
  MessagesImage,
  MessagesText,
  UserPart,
} from '@tallyport/wire';
import type { LocatedPart } from '../conversation/conversation.ts';
import { type InlineData, inlineDataIn } from '../conversation/data-url.ts';
import type { TextPart } from '../conversation/text-parts.ts';
import { isMembers } from '../read.ts';

type PartOf<Type extends UserPart['type']> = Extract<UserPart, { type: Type }>;

/** Converts a part of a user message. Throws if the vendor does not support the part, and names its path. */
export function toBlock({ part, path }: LocatedPart): MessagesBlock {
  switch (part.type) {
    case 'text':
      return toText(part);
    case 'image_url':
      return { ...imageBlock(part, path), ...cacheControlOf(part) };
    case 'file':
      return { ...documentBlock(part, path), ...cacheControlOf(part) };
    case 'input_audio':
      throw refused(path, 'this model does not accept audio');
    default:
      return part satisfies never;
  }
}

export const toText = (part: TextPart): MessagesText => ({ type: 'text', text: part.text, ...cacheControlOf(part) });

/** The cache breakpoint of a part, for clients that know this vendor's `cache_control`. */
export function cacheControlOf(part: Readonly<Record<string, unknown>>): { cache_control?: MessagesCacheControl } {
  const control = part.cache_control;
  if (!isMembers(control) || control.type !== 'ephemeral') return {};
  const { ttl } = control;
  return { cache_control: { type: 'ephemeral', ...((ttl === '5m' || ttl === '1h') && { ttl }) } };
}

function imageBlock({ image_url: { url } }: PartOf<'image_url'>, path: string): MessagesImage {
  if (/^https?:/i.test(url)) return { type: 'image', source: { type: 'url', url } };
  const inline = inlineDataIn(url);
  if (inline === undefined) throw refused(path, 'an image must be an https URL or a base64 data URL');
  const { mediaType: media_type, data } = inline;
  if (!isImageType(media_type)) throw refused(path, `images must be one of ${imageTypes.join(', ')}`);
  return { type: 'image', source: { type: 'base64', media_type, data } };
}

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

const isImageType = (type: string): type is (typeof imageTypes)[number] => imageTypes.some((known) => known === type);

function documentBlock({ file }: PartOf<'file'>, path: string): MessagesDocument {
  const title = file.filename ? { title: file.filename } : {};
  if (file.file_id) return { type: 'document', source: { type: 'file', file_id: file.file_id }, ...title };
  const address = file.file_data ?? '';
  if (/^https?:/i.test(address)) return { type: 'document', source: { type: 'url', url: address }, ...title };
  const inline = inlineDataIn(address);
  if (inline === undefined) throw refused(path, 'a file must be a base64 data URL, an https URL or a file id');
  return { type: 'document', source: documentSource(inline, path), ...title };
}

function documentSource({ mediaType, data }: InlineData, path: string): MessagesDocument['source'] {
  if (mediaType === 'application/pdf') return { type: 'base64', media_type: mediaType, data };
  if (mediaType !== 'text/plain') throw refused(path, 'files must be application/pdf or text/plain');
  return { type: 'text', media_type: mediaType, data: Buffer.from(data, 'base64').toString('utf8') };
}

const refused = (path: string, why: string): GatewayError =>
  new GatewayError('unsupported_capability', `${path}: ${why}.`, { param: path });
