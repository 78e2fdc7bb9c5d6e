import { randomUUID } from 'node:crypto';
import { type Base64Slices, base64SlicesOf, firstBytes } from '@tallyport/dispatch';
import type { Pixels } from '@tallyport/pixels';
import type { InputImage } from '@tallyport/providers';
import {
  imageTypeOf,
  type LongStrings,
  longStrings,
  markBytes,
  noLongStrings,
  textWithLongStrings,
} from '@tallyport/wire';
import { invalidMember } from './members.ts';

/** An image as the client sent it. */
export type GivenImage = { path: string } & (
  | { kind: 'url'; url: string; strings: LongStrings }
  | { kind: 'file'; base64: Base64Slices }
);

export interface ReadInput {
  image: InputImage;
  strings: LongStrings;
}

/** Reads an image and detects its type from its bytes. Throws `invalid_parameters` if it is not an image. */
export async function readInput(given: GivenImage, pixels: Pixels): Promise<ReadInput> {
  if (given.kind === 'file') return asInput(given.base64, given.path, pixels);
  const beginning = textWithLongStrings(given.url, given.strings)
    .map((slice) => slice.toString('latin1', 0, 256))
    .join('')
    .slice(0, 256);
  // URLs are checked when they are fetched.
  if (/^https?:\/\//i.test(beginning)) return { image: { url: urlOf(given) }, strings: noLongStrings };
  if (!/^data:[^,]{0,200};base64,/i.test(beginning))
    throw invalidMember(given.path, 'must be an https URL or a base64 data URL');
  return asInput(base64SlicesOf(given.url, given.strings), given.path, pixels);
}

const urlOf = ({ url, strings }: { url: string; strings: LongStrings }): string =>
  Buffer.concat(textWithLongStrings(url, strings)).toString();

async function asInput(base64: Base64Slices, path: string, pixels: Pixels): Promise<ReadInput> {
  if (base64.length === 0) throw invalidMember(path, 'is empty');
  const mediaType = imageTypeOf(firstBytes(base64, markBytes));
  if (mediaType === undefined) throw invalidMember(path, 'is not a PNG, JPEG, GIF or WebP image');
  const flaw = await pixels.findFlaw({ type: mediaType, base64 });
  if (flaw !== undefined) throw invalidMember(path, flaw);
  const strings = longStrings(randomUUID(), [base64]);
  const [placeholder = ''] = strings.byPlaceholder.keys();
  return { image: { mediaType, base64: placeholder }, strings };
}
