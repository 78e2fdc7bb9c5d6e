import { crc32, deflateSync } from 'node:zlib';

const signatures: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['webp', /^52494646.{8}57454250/],
];

/** The format of an image, by its first bytes. */
export function formatOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('hex', 0, 12);
  return signatures.find(([, pattern]) => pattern.test(start))?.[0];
}

/** Width and height of an image. */
export const pixelsOf = (bytes: Buffer): number[] =>
  formatOf(bytes) === 'jpeg' ? jpegPixels(bytes) : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

/** Reads the size from the start-of-frame segment. */
function jpegPixels(bytes: Buffer): number[] {
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xc2) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return [];
}

const side = 64;

/** A small grey image; the shade depends on the name. */
export function samplePng(name: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 0], 8);
  const shade = crc32(name) & 0xff;
  const rows = Buffer.alloc(side * (side + 1), shade);
  for (let y = 0; y < side; y += 1) rows[y * (side + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}
