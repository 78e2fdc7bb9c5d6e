import { decodedLength, firstBytes, lastBytes } from '@switchyard/dispatch';
import type { TypedImage } from './typed-image.ts';

/** Where the end of an image is looked for: some writers pad it. */
const endingBytes = 1024;

/** Whether an image goes on to its end, by the mark its format puts there. `false` is only a suspicion. */
export function endsAsItShould({ type, base64 }: TypedImage): boolean {
  const ending = lastBytes(base64, endingBytes);
  switch (type) {
    case 'image/png':
      return ending.includes('IEND');
    case 'image/jpeg':
      return ending.includes(Buffer.from([0xff, 0xd9]));
    case 'image/gif':
      return ending.at(-1) === 0x3b;
    case 'image/webp':
      // RIFF tells how many bytes follow its first eight.
      return firstBytes(base64, 8).readUInt32LE(4) + 8 <= decodedLength(base64);
    default:
      return type satisfies never;
  }
}
