import { createGate, firstBytes, fromBase64, toBase64 } from '@switchyard/dispatch';
import type { ImageFormat } from '@switchyard/providers';
import sharp from 'sharp';
import { endsAsItShould } from './ending.ts';
import type { TypedImage } from './typed-image.ts';

export interface PixelSize {
  width: number;
  height: number;
}

/** An image that cannot be unpacked. */
export class BadImage extends Error {}

/** Everything for which an image has to be unpacked: in threads, so many at a time, up to so many pixels. */
export interface Pixels {
  /** Looks at the beginning only. `undefined` where it tells no size. */
  measure(image: TypedImage): Promise<PixelSize | undefined>;
  /** The end of a sentence where an image is broken off, cannot be read or has too many pixels; `undefined` where not. */
  flawOf(image: TypedImage): Promise<string | undefined>;
  /** The same image in another format. Throws BadImage, or the signal's reason while it waits for its turn. */
  convert(image: TypedImage, wanted: WantedFormat, signal: AbortSignal): Promise<TypedImage>;
}

export interface WantedFormat {
  format: ImageFormat;
  /** From 1 to 100, of formats that lose something. */
  quality?: number | undefined;
}

export interface PixelsOptions {
  maxPixels: number;
  maxConcurrent: number;
}

/** Enough to find the size of nearly every image; a photograph's metadata may come first. */
const beginningBytes = 128 * 1024;
const longestSeconds = 30;

export function createPixels({ maxPixels, maxConcurrent }: PixelsOptions): Pixels {
  // Its threads are Node's own, which name look-ups wait for too: one for each image, and what it keeps is of no use here.
  sharp.concurrency(1);
  sharp.cache(false);
  const turns = createGate(maxConcurrent);

  const sizeIn = async (bytes: Buffer): Promise<PixelSize | undefined> => {
    const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
    return { width, height };
  };
  const measure = async (image: TypedImage): Promise<PixelSize | undefined> => {
    const beginning = firstBytes(image.base64, beginningBytes);
    const found = await sizeIn(beginning).catch(() => undefined);
    if (found !== undefined || beginning.length < beginningBytes) return found;
    return sizeIn(await fromBase64(image.base64)).catch(() => undefined);
  };
  const open = (bytes: Buffer) =>
    sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated' }).timeout({ seconds: longestSeconds });

  return {
    measure,
    async flawOf(image) {
      const size = await measure(image);
      if (size === undefined) return 'is broken: it tells no size';
      if (size.width * size.height > maxPixels) {
        return `has ${size.width}x${size.height} pixels; this server takes ${maxPixels} (IMAGE_MAX_PIXELS)`;
      }
      if (endsAsItShould(image)) return undefined;
      // Not a proof: cameras put things after the end. Who unpacks it knows.
      const unpack = async () =>
        open(await fromBase64(image.base64))
          .resize(1, 1)
          .raw()
          .toBuffer();
      return turns.run(unpack, AbortSignal.timeout(longestSeconds * 1000)).then(
        () => undefined,
        () => 'is broken off or damaged',
      );
    },
    convert: (image, { format, quality }, signal) =>
      turns.run(async () => {
        const source = open(await fromBase64(image.base64)).autoOrient();
        const opaque = format === 'jpeg' ? source.flatten({ background: '#ffffff' }) : source;
        const bytes = await opaque
          .toFormat(format, quality === undefined || format === 'png' ? {} : { quality: Math.max(1, quality) })
          .toBuffer()
          .catch((cause: unknown) => {
            throw new BadImage('cannot be converted', { cause });
          });
        return { type: `image/${format}`, base64: await toBase64([bytes]) };
      }, signal),
  };
}
