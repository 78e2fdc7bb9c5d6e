import type { ImageBlock } from '../tools/image-block.ts';

/** Hosts cap what a tool may answer; the smallest known cap is 1 MiB for everything together. */
export const maxPreviewCharacters = 700_000;
/** More pixels than any model makes: a small file may unfold to gigabytes. */
const maxPixels = 64_000_000;
const attempts = [
  { edge: 1024, quality: 80 },
  { edge: 768, quality: 70 },
  { edge: 512, quality: 60 },
] as const;

/** A smaller copy where the image is too large for a conversation; `undefined` when none can be made. */
export async function shrinkImage(image: ImageBlock): Promise<ImageBlock | undefined> {
  if (image.data.length <= maxPreviewCharacters) return image;
  // Loaded only where it is needed: it takes more memory than the rest of this service.
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
    // What cannot be decoded cannot be made smaller; the caller says so.
  }
  return undefined;
}
