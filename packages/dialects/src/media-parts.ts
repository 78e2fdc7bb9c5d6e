import type { UserPart } from '@tallyport/wire';
import { refuseMember } from './refuse-member.ts';
import { standardBase64 } from './standard-base64.ts';

/** A medium in a request of Google's APIs. */
interface InlineMedia {
  mimeType: string;
  data: string;
}

interface LinkedMedia {
  uri: string;
  mimeType?: string | null | undefined;
}

/** Where its members are, for errors. */
interface MediaPaths {
  uri: string;
  type: string;
}

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

/** `typePath`: where its media type is. */
export function inlinePart({ mimeType, data: sent }: InlineMedia, typePath: string): UserPart {
  const data = standardBase64(sent);
  const format = audioFormats.get(mimeType);
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  if (mimeType.startsWith('image/')) return imagePart(`data:${mimeType};base64,${data}`);
  if (mimeType === pdf) return filePart(`data:${pdf};base64,${data}`);
  if (mimeType.startsWith('text/')) return { type: 'text', text: Buffer.from(data, 'base64').toString() };
  return refuseMember(typePath, `${mimeType.slice(0, 60)} is not supported`);
}

/** Not one of Google's own stores. */
export const isPublic = (address: unknown): boolean =>
  typeof address === 'string' &&
  /^https?:\/\//i.test(address) &&
  !/^https?:\/\/[^/]*\bgoogleapis\.com\b/i.test(address);

/** Vendors other than Google cannot read its storage. Files of the gateway's own are inline before a request is read. */
export function linkedPart({ uri, mimeType }: LinkedMedia, paths: MediaPaths): UserPart {
  if (!isPublic(uri)) {
    return refuseMember(
      paths.uri,
      'must be a public https address or the id of a stored file; files of Google are not supported',
    );
  }
  if (mimeType === pdf) return filePart(uri);
  if (mimeType == null || mimeType.startsWith('image/')) return imagePart(uri);
  return refuseMember(paths.type, `${mimeType.slice(0, 60)} is not supported`);
}

const pdf = 'application/pdf';

const imagePart = (url: string): UserPart => ({ type: 'image_url', image_url: { url } });

const filePart = (data: string): UserPart => ({ type: 'file', file: { file_data: data, filename: 'document.pdf' } });
