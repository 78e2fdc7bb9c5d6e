import type { ImageBlock } from './image-block.ts';

/** Enough of nearly every image to contain its dimensions; a photograph's metadata may precede them. */
const headCharacters = 128 * 1024;

/** The end of a sentence such as `, 1328x1328`, with each size once. Empty if no size can be read. */
export async function sizesOf(images: readonly ImageBlock[]): Promise<string> {
  const sizes = new Set<string>();
  for (const image of images) {
    const size = await sizeOf(image);
    if (size !== undefined) sizes.add(size);
  }
  return sizes.size === 0 ? '' : `, ${[...sizes].join(' and ')}`;
}

/** Read from the image: a model may have used the nearest size it supports. */
async function sizeOf({ data }: ImageBlock): Promise<string | undefined> {
  // Loaded on demand: it needs more memory than the rest of this service.
  const { default: sharp } = await import('sharp');
  const head = Buffer.from(data.slice(0, headCharacters), 'base64');
  try {
    const { width, height } = await sharp(head, { limitInputPixels: false, failOn: 'none' }).metadata();
    return `${width}x${height}`;
  } catch {
    return undefined;
  }
}
