import { isUtf8 } from 'node:buffer';
import { base64Length } from '@tallyport/dispatch';
import { wrongMember } from '../wrong-member.ts';
import type { FilePlace, NamingPart } from './file-places.ts';

/** The content of a stored file. */
export interface FileContent {
  filename: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** The bytes that the content needs in the body at this place. */
export const inlineLength = (place: FilePlace, { mediaType, bytes }: FileContent): number =>
  isTextDocument(place, mediaType) ? jsonLength(bytes) : base64Length(bytes.length);

/** The part with the content in place of the id. Throws `invalid_parameters` if the file is none of this kind. */
export function partWithContent(place: FilePlace, { filename, mediaType, bytes }: FileContent): NamingPart {
  const { path, part, holder, member } = place;
  const { type } = part;
  const kind = mediaOf[String(type)];
  if (kind !== undefined && !mediaType.startsWith(`${kind}/`))
    throw wrongMember(path, `the file is ${mediaType}, not ${kind === 'image' ? 'an image' : 'audio'}`);
  if (isTextDocument(place, mediaType))
    return { ...part, source: { type: 'text', media_type: 'text/plain', data: textOf(path, bytes) } };
  const data = bufferOf(bytes).toString('base64');
  const url = `data:${mediaType};base64,${data}`;
  const { [member]: _id, ...others } = holder;
  if (member === 'uri') return { ...others, mime_type: mediaType, data };
  if (member !== 'file_id') return inGemini(part, { mimeType: mediaType, data });
  const asFile = { ...others, filename: others['filename'] ?? filename, file_data: url };
  switch (type) {
    case 'file':
      return { ...part, file: asFile };
    case 'input_file':
      return asFile;
    case 'input_image':
      return { ...others, image_url: url };
    default:
      return { ...part, source: { type: 'base64', media_type: mediaType, data } };
  }
}

/** What a part of such a type holds. */
const mediaOf: Readonly<Record<string, string>> = { image: 'image', input_image: 'image', audio: 'audio' };

function inGemini({ fileData: _camel, file_data: _snake, ...others }: NamingPart, inlineData: object): NamingPart {
  return { ...others, inlineData };
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Documents of Messages are PDFs or plain text; those of Google's APIs may be any text. */
const isTextDocument = ({ part, member }: FilePlace, mediaType: string): boolean =>
  part['type'] === 'document' && member === 'file_id' && mediaType.startsWith('text/');

function textOf(path: string, bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw wrongMember(path, 'the text of the file is not UTF-8');
  return bufferOf(bytes).toString();
}

/** The most bytes that a text needs in JSON: control characters need six, quotes and backslashes two. */
function jsonLength(bytes: Uint8Array): number {
  let length = bytes.length;
  for (const byte of bytes) {
    if (byte < 0x20) length += 5;
    else if (byte === 0x22 || byte === 0x5c) length += 1;
  }
  return length;
}
