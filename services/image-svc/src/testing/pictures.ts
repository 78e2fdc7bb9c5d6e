import sharp from 'sharp';
import type { ImagesBody } from './image-bench.ts';

/** A small picture as a data URL. */
export async function pictureOf(format: 'gif' | 'jpeg' | 'png' | 'webp'): Promise<string> {
  const bytes = await pictureBytes(format);
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}

export const pictureBytes = (format: 'gif' | 'jpeg' | 'png' | 'webp'): Promise<Buffer> =>
  sharp({ create: { width: 48, height: 32, channels: 3, background: '#3b82f6' } })
    .toFormat(format)
    .toBuffer();

const beginnings = { iVBORw0KGgo: 'png', '/9j/': 'jpeg', UklGR: 'webp', R0lGOD: 'gif' };

/** What the images of an answer are, by their bytes. */
export const typesIn = ({ data }: ImagesBody): string[] =>
  data.map(
    ({ b64_json: text }) =>
      Object.entries(beginnings).find(([beginning]) => text.startsWith(beginning))?.[1] ?? text.slice(0, 20),
  );
