import type { UserPart } from '@tallyport/wire';
import type { FileData, InlineMedia } from './content-schema.ts';
import { standardBase64 } from './proto.ts';
import { refuseMember } from '../refuse-member.ts';

/** Audio by its media type, in the words of chat completions. */
const audioFormats: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
  ['audio/aac', 'aac'],
  ['audio/aiff', 'aiff'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
]);

export function inlinePart({ mimeType, data: sent }: InlineMedia, path: string): UserPart {
  const data = standardBase64(sent);
  const format = audioFormats.get(mimeType);
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  if (mimeType.startsWith('image/')) return imagePart(`data:${mimeType};base64,${data}`);
  if (mimeType === pdf) return filePart(`data:${pdf};base64,${data}`);
  if (mimeType.startsWith('text/')) return { type: 'text', text: Buffer.from(data, 'base64').toString() };
  return refuseMember(`${path}.inlineData.mimeType`, `${mimeType.slice(0, 60)} is not supported`);
}

/** Vendors other than Google cannot read its storage, and the gateway keeps no files. */
export function linkedPart({ fileUri, mimeType }: FileData, path: string): UserPart {
  if (!/^https?:\/\//.test(fileUri)) {
    return refuseMember(
      `${path}.fileData.fileUri`,
      'must be a public https address; files of Google are not supported',
    );
  }
  if (mimeType === pdf) return filePart(fileUri);
  if (mimeType == null || mimeType.startsWith('image/')) return imagePart(fileUri);
  return refuseMember(`${path}.fileData.mimeType`, `${mimeType.slice(0, 60)} is not supported`);
}

const pdf = 'application/pdf';

const imagePart = (url: string): UserPart => ({ type: 'image_url', image_url: { url } });

const filePart = (data: string): UserPart => ({ type: 'file', file: { file_data: data, filename: 'document.pdf' } });
