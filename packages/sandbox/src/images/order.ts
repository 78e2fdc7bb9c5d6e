import { contentHash } from '../content-hash.ts';
import type { PictureFormat, ImageSpec } from './image.ts';
import type { SourceImage } from './input.ts';
import type { PictureSize } from './size.ts';
import { bytesIn, hasImageDirective } from './directives.ts';

/** A request for images, independent of the format it arrived in. */
export interface ImageOrder {
  readonly provider: string;
  readonly prompt: string;
  readonly inputs: readonly SourceImage[];
  readonly size: PictureSize;
  readonly format: PictureFormat;
  readonly transparent?: boolean;
  /** The client's seed, if it sent one. Each seed gives a different image. */
  readonly seed?: unknown;
}

/** The image with this index. The same order and index give the same image. */
export function imageSpecOf(order: ImageOrder, index: number): ImageSpec {
  const { provider, prompt, inputs, size, format, transparent, seed } = order;
  return {
    about: contentHash(
      JSON.stringify([provider, prompt, seed ?? null, index, ...inputs.map((input) => input.fingerprint)]),
    ),
    ...size,
    format: hasImageDirective(prompt, 'mislabelled') ? another[format] : format,
    ...(transparent === true && { transparent }),
    bytes: bytesIn(prompt),
  };
}

const another: Readonly<Record<PictureFormat, PictureFormat>> = { png: 'jpeg', jpeg: 'png', webp: 'png' };

/** Four characters per token, as in chats. */
export const promptTokensOf = (prompt: string): number => Math.max(1, Math.ceil(prompt.length / 4));
