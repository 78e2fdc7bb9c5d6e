import { randomUUID } from 'node:crypto';
import { type Base64Slices, base64SlicesOf, firstBytes, imageTypeOf, markBytes } from '@switchyard/dispatch';
import type { InputImage } from '@switchyard/providers';
import { type LongStrings, longStrings, textWithLongStrings } from '@switchyard/wire';
import type { Pixels } from '../pixels/pixels.ts';
import { invalidMember } from './members.ts';

/** An image as the client gave it. */
export type GivenImage = { path: string } & (
  | { kind: 'url'; url: string; strings: LongStrings }
  | { kind: 'file'; base64: Base64Slices }
);

export interface ReadInput {
  image: InputImage;
  strings: LongStrings;
}

const nothing = longStrings('none', []);

/** The image under the type its bytes say, whatever it was called. Throws `invalid_parameters` for what is none. */
export async function readInput(given: GivenImage, pixels: Pixels): Promise<ReadInput> {
  if (given.kind === 'file') return asInput(given.base64, given.path, pixels);
  const beginning = textWithLongStrings(given.url, given.strings)
    .map((slice) => slice.toString('latin1', 0, 256))
    .join('')
    .slice(0, 256);
  // Where it leads is looked at when it is fetched.
  if (/^https?:\/\//i.test(beginning)) return { image: { url: urlOf(given) }, strings: nothing };
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
  const flaw = await pixels.flawOf({ type: mediaType, base64 });
  if (flaw !== undefined) throw invalidMember(path, flaw);
  const strings = longStrings(randomUUID(), [base64]);
  const [placeholder = ''] = strings.byPlaceholder.keys();
  return { image: { mediaType, base64: placeholder }, strings };
}
