import { crc32, deflateSync } from 'node:zlib';
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

/** The types of an answer's images, by their bytes. */
export const typesIn = ({ data }: ImagesBody): string[] =>
  data.map(
    ({ b64_json: text }) =>
      Object.entries(beginnings).find(([beginning]) => text.startsWith(beginning))?.[1] ?? text.slice(0, 20),
  );

/** A valid PNG with sides of this many pixels, in a few hundred kilobytes. */
export function bombOf(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(Math.ceil(side / 8 + 1) * 64));
  const mark = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([mark, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
