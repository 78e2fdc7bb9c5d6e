import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from './picture.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** The row filter: differences from the previous pixel, which compress well. */
const differences = 1;

/** Encodes the picture as PNG with a palette. `transparent`: dark parts are transparent. */
export function encodePng(picture: Picture, { transparent = false } = {}): Buffer {
  return Buffer.concat([
    signature,
    chunk('IHDR', headerOf(picture)),
    chunk('PLTE', picture.palette),
    ...(transparent ? [chunk('tRNS', fadingIn)] : []),
    chunk('IDAT', deflateSync(rowsOf(picture), { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function headerOf({ width, height }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return header;
}

/** The opacity of the dark shades; all others are opaque. */
const fadingIn = Uint8Array.from({ length: 128 }, (_, shade) => shade * 2);

function rowsOf(picture: Picture): Buffer {
  const rows = Buffer.alloc(picture.height * (picture.width + 1));
  let place = 0;
  for (let y = 0; y < picture.height; y += 1) {
    rows[place++] = differences;
    let before = 0;
    for (const shade of picture.row(y)) {
      rows[place++] = shade - before;
      before = shade;
    }
  }
  return rows;
}

function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(content.length + chunkOverhead);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

const chunkOverhead = 12;
