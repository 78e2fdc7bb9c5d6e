import { GatewayError } from '@tallyport/contracts';
import type { GeminiPart, UserPart } from '@tallyport/wire';
import type { LocatedPart } from '../conversation/conversation.ts';
import { inlineDataIn } from '../conversation/data-url.ts';

type PartOf<Type extends UserPart['type']> = Extract<UserPart, { type: Type }>;

/** Converts a part of a user message. Throws if the vendor does not support the part, and names its path. */
export function toPart({ part, path }: LocatedPart): GeminiPart {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image_url':
      return imagePart(part.image_url.url, path);
    case 'input_audio':
      return { inlineData: { mimeType: `audio/${part.input_audio.format}`, data: part.input_audio.data } };
    case 'file':
      return filePart(part, path);
    default:
      return part satisfies never;
  }
}

/** The vendor fetches only its own file addresses; dispatch has replaced other URLs with data URLs. */
export function imagePart(url: string, path: string): GeminiPart {
  const inline = inlineDataIn(url);
  if (inline !== undefined) return { inlineData: { mimeType: inline.mediaType, data: inline.data } };
  if (isOwnAddress(url)) return { fileData: { fileUri: url } };
  throw refused(path, 'an image must be a base64 data URL or a file of the provider');
}

function filePart({ file }: PartOf<'file'>, path: string): GeminiPart {
  if (file.file_id) return { fileData: { fileUri: file.file_id } };
  const address = file.file_data ?? '';
  const inline = inlineDataIn(address);
  if (inline !== undefined) return { inlineData: { mimeType: inline.mediaType, data: inline.data } };
  if (isOwnAddress(address)) return { fileData: { fileUri: address } };
  throw refused(path, 'a file must be a base64 data URL or a file of the provider');
}

const ownAddress =
  /^(gs:\/\/|https:\/\/(generativelanguage\.googleapis\.com\/|(www\.)?youtube\.com\/watch|youtu\.be\/))/;
export const isOwnAddress = (url: string): boolean => ownAddress.test(url);

const refused = (path: string, why: string): GatewayError =>
  new GatewayError('unsupported_capability', `${path}: ${why}.`, { param: path });
