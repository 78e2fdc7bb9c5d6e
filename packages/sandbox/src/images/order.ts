import { contentHash } from '../content-hash.ts';
import type { PictureFormat, ImageWish } from './image.ts';
import type { SourceImage } from './input.ts';
import type { PictureSize } from './size.ts';
import { bytesIn, wordIn } from './wishes.ts';

/** What an images request asks for, in our words, whichever format it came in. */
export interface ImageOrder {
  readonly provider: string;
  readonly prompt: string;
  readonly inputs: readonly SourceImage[];
  readonly size: PictureSize;
  readonly format: PictureFormat;
  readonly transparent?: boolean;
  /** The client's, where it gave one: another one gives another image. */
  readonly seed?: unknown;
}

/** The image with this number of those ordered: the same order and number, the same image. */
export function imageOrdered(order: ImageOrder, index: number): ImageWish {
  const { provider, prompt, inputs, size, format, transparent, seed } = order;
  return {
    about: contentHash(
      JSON.stringify([provider, prompt, seed ?? null, index, ...inputs.map((input) => input.fingerprint)]),
    ),
    ...size,
    format: wordIn(prompt, 'mislabelled') ? another[format] : format,
    ...(transparent === true && { transparent }),
    bytes: bytesIn(prompt),
  };
}

const another: Readonly<Record<PictureFormat, PictureFormat>> = { png: 'jpeg', jpeg: 'png', webp: 'png' };

/** As chats count them: four characters each. */
export const promptTokensOf = (prompt: string): number => Math.max(1, Math.ceil(prompt.length / 4));
