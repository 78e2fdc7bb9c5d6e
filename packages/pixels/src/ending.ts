import { decodedLength, firstBytes, lastBytes } from '@tallyport/dispatch';
import type { TypedImage } from './typed-image.ts';

/** How much of the end is searched for the end marker, because some encoders add padding. */
const endingBytes = 1024;

/** Whether an image has the end marker of its format. `false` is only a suspicion. */
export function hasEndMarker({ type, base64 }: TypedImage): boolean {
  const ending = lastBytes(base64, endingBytes);
  switch (type) {
    case 'image/png':
      return ending.includes('IEND');
    case 'image/jpeg':
      return ending.includes(Buffer.from([0xff, 0xd9]));
    case 'image/gif':
      return ending.at(-1) === 0x3b;
    case 'image/webp':
      // RIFF contains the number of bytes after its first eight.
      return firstBytes(base64, 8).readUInt32LE(4) + 8 <= decodedLength(base64);
    default:
      return type satisfies never;
  }
}
