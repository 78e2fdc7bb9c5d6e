import type { ImageBlock } from './image-block.ts';

/** MCP hosts limit the size of a tool result; the smallest known limit is 1 MiB for the whole result. */
export const maxPreviewCharacters = 700_000;
/** More pixels than any model produces. A small file can decode to gigabytes. */
const maxPixels = 64_000_000;
const attempts = [
  { edge: 1024, quality: 80 },
  { edge: 768, quality: 70 },
  { edge: 512, quality: 60 },
] as const;

/**
 * Returns the image, or a smaller copy if it is too large for a conversation; `undefined` if it cannot be decoded or
 * shrunk enough.
 */
export async function shrinkImage(image: ImageBlock): Promise<ImageBlock | undefined> {
  if (image.data.length <= maxPreviewCharacters) return image;
  // Loaded on demand: it needs more memory than the rest of this service.
  const { default: sharp } = await import('sharp');
  const bytes = Buffer.from(image.data, 'base64');
  try {
    for (const { edge, quality } of attempts) {
      const smaller = await sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true })
        .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .jpeg({ quality })
        .toBuffer();
      const data = smaller.toString('base64');
      if (data.length <= maxPreviewCharacters) return { type: 'image', data, mimeType: 'image/jpeg' };
    }
  } catch {
    // An image that cannot be decoded cannot be shrunk; the caller reports it.
  }
  return undefined;
}
