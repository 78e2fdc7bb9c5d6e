import type { Picture } from './picture.ts';

/** One colour only: lossless WebP in which every code has a single symbol, so that no pixel takes a bit. */
export function encodeWebp({ width, height, palette }: Picture): Buffer {
  const [red = 0, green = 0, blue = 0] = palette.subarray(150 * 3);
  const bits: (readonly [value: number, count: number])[] = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    // No alpha, version 0, no transforms, no colour cache, no further codes.
    [0, 1 + 3 + 1 + 1 + 1],
    // Green, red, blue, alpha, distance: each simple, with one symbol of eight bits.
    ...[green, red, blue, 255, 0].flatMap((symbol) => [[0b101, 3] as const, [symbol, 8] as const]),
  ];
  const content = littleEndianBits(bits);
  const padded = Buffer.concat([content, Buffer.alloc(content.length % 2)]);
  return Buffer.concat([
    Buffer.from('RIFF'),
    size32(padded.length + 12),
    Buffer.from('WEBPVP8L'),
    size32(content.length),
    padded,
  ]);
}

function size32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function littleEndianBits(parts: readonly (readonly [value: number, count: number])[]): Buffer {
  const all = parts.flatMap(([value, count]) => Array.from({ length: count }, (_, index) => (value >> index) & 1));
  return Buffer.from(
    Array.from({ length: Math.ceil(all.length / 8) }, (_, index) =>
      all.slice(index * 8, index * 8 + 8).reduce((byte, bit, place) => byte | (bit << place), 0),
    ),
  );
}
