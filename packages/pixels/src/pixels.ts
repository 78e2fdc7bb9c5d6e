import { createGate, firstBytes, fromBase64, toBase64 } from '@tallyport/dispatch';
import type { ImageFormat } from '@tallyport/providers';
import type { Sharp } from 'sharp';
import { hasEndMarker } from './ending.ts';
import type { Fitting } from './fitting.ts';
import type { PixelSize } from './pixel-size.ts';
import type { TypedImage } from './typed-image.ts';

/** Thrown for an image that cannot be decoded. */
export class BadImage extends Error {}

/** Operations that decode images. They run in threads, with limits on concurrency and on pixels per image. */
export interface Pixels {
  /** Images with more are neither decoded nor made. */
  readonly maxPixels: number;
  /** Loads sharp, which takes 27 MB. Optional: otherwise the first image loads it. */
  load(): Promise<unknown>;
  /** Reads the size, as it is displayed, from the beginning of the image; `undefined` if it has none. */
  measure(image: TypedImage): Promise<PixelSize | undefined>;
  /** The end of a sentence about an image that is truncated, unreadable or too large; `undefined` for a good image. */
  findFlaw(image: TypedImage): Promise<string | undefined>;
  /**
   * Converts an image to another format, size or both. Throws BadImage, or the signal's reason while it waits in the
   * queue.
   */
  convert(image: TypedImage, wanted: Conversion, signal: AbortSignal): Promise<TypedImage>;
}

export interface WantedFormat {
  format: ImageFormat;
  /** From 1 to 100, for lossy formats. */
  quality?: number | undefined;
}

interface Conversion extends WantedFormat {
  /** The middle of the image is cut out and scaled. */
  fitting?: Fitting | undefined;
}

interface PixelsOptions {
  maxPixels: number;
}

/** Enough to find the size of nearly every image; a photograph's metadata may precede it. */
const beginningBytes = 128 * 1024;
const longestSeconds = 30;
/** Images that one process converts or scales at once, each in a thread of its own. */
const mostConverted = 2;

export function createPixels({ maxPixels }: PixelsOptions): Pixels {
  const turns = createGate(mostConverted);

  let loading: ReturnType<typeof loadSharp> | undefined;
  const load = () => (loading ??= loadSharp());
  const measure = async (image: TypedImage): Promise<PixelSize | undefined> => {
    const sharp = await load();
    const sizeIn = async (bytes: Buffer): Promise<PixelSize | undefined> => {
      const { autoOrient } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
      return { width: autoOrient.width, height: autoOrient.height };
    };
    const beginning = firstBytes(image.base64, beginningBytes);
    const found = await sizeIn(beginning).catch(() => undefined);
    if (found !== undefined || beginning.length < beginningBytes) return found;
    return sizeIn(await fromBase64(image.base64)).catch(() => undefined);
  };
  const open = async (image: TypedImage): Promise<{ source: Sharp }> => {
    const [sharp, bytes] = await Promise.all([load(), fromBase64(image.base64)]);
    const source = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated' });
    return { source: source.timeout({ seconds: longestSeconds }) };
  };

  return {
    maxPixels,
    load,
    measure,
    async findFlaw(image) {
      const size = await measure(image);
      if (size === undefined) return 'is broken: it has no readable size';
      if (size.width * size.height > maxPixels) {
        return `has ${size.width}x${size.height} pixels; this server accepts at most ${maxPixels} (IMAGE_MAX_PIXELS)`;
      }
      if (hasEndMarker(image)) return undefined;
      // A missing end marker proves nothing, because cameras append data. Only decoding shows whether the image is
      // complete.
      const unpack = async () => (await open(image)).source.resize(1, 1).raw().toBuffer();
      return turns.run(unpack, AbortSignal.timeout(longestSeconds * 1000)).then(
        () => undefined,
        () => 'is truncated or damaged',
      );
    },
    convert: (image, { format, quality, fitting }, signal) =>
      turns.run(async () => {
        const { source } = await open(image);
        const upright = source.autoOrient();
        const opaque = format === 'jpeg' ? upright.flatten({ background: '#ffffff' }) : upright;
        const sized = fitting === undefined ? opaque : fitted(opaque, fitting);
        const bytes = await sized
          .toFormat(format, quality === undefined || format === 'png' ? {} : { quality: Math.max(1, quality) })
          .toBuffer()
          .catch((cause: unknown) => {
            throw new BadImage('cannot be converted', { cause });
          });
        return { type: `image/${format}`, base64: await toBase64([bytes]) };
      }, signal),
  };
}

/** Cut before it is scaled, so that nothing larger than both sizes is ever in memory. */
function fitted(source: Sharp, { made, kept, size }: Fitting): Sharp {
  const left = Math.floor((made.width - kept.width) / 2);
  const top = Math.floor((made.height - kept.height) / 2);
  return source.extract({ left, top, ...kept }).resize({ ...size, fit: 'fill' });
}

async function loadSharp() {
  const { default: sharp } = await import('sharp');
  // Sharp uses Node's thread pool, which DNS look-ups need too, so each image gets one thread. Its cache is useless
  // here.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}
