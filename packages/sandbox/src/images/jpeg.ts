import type { Picture } from './picture.ts';

/** The picture as baseline JPEG: a mosaic of 8×8 blocks, each of one colour, which needs no more than their differences. */
export function encodeJpeg(picture: Picture): Buffer {
  return Buffer.concat([
    start,
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => blockSide)]),
    segment(0xc0, [8, ...word(picture.height), ...word(picture.width), 3, ...[1, 2, 3].flatMap((id) => [id, 0x11, 0])]),
    segment(0xc4, [0x00, ...lengthCounts, ...lengthCounts.flatMap((count, index) => categoriesOf(index, count))]),
    segment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0]),
    segment(0xda, [3, ...[1, 2, 3].flatMap((id) => [id, 0]), 0, 63, 0]),
    scanOf(picture),
    end,
  ]);
}

const start = Buffer.from('ffd8', 'hex');
const end = Buffer.from('ffd9', 'hex');
const blockSide = 8;

const word = (value: number): number[] => [value >> 8, value & 0xff];

const segment = (marker: number, content: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, ...word(content.length + 2), ...content]);

/** Codes for how many bits a difference has: one of two bits, five of three, then one of each length. */
const lengthCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];

const firstOf = (index: number) => lengthCounts.slice(0, index).reduce((total, count) => total + count, 0);

const categoriesOf = (index: number, count: number): number[] =>
  Array.from({ length: count }, (_, offset) => firstOf(index) + offset);

/** What these lengths make: 00, 010 to 110, 1110, 11110 … */
const codes: readonly (readonly [code: number, bits: number])[] = [
  [0b00, 2],
  [0b010, 3],
  [0b011, 3],
  [0b100, 3],
  [0b101, 3],
  [0b110, 3],
  [0b1110, 4],
  [0b11110, 5],
  [0b111110, 6],
  [0b1111110, 7],
  [0b11111110, 8],
];

function scanOf(picture: Picture): Buffer {
  const colours = Array.from({ length: 256 }, (_, shade) => brightnessAndColour(picture.palette, shade));
  const bits = createBits();
  const before = [0, 0, 0];
  for (let y = 0; y < picture.height; y += blockSide) {
    const row = picture.row(Math.min(y + blockSide / 2, picture.height - 1));
    for (let x = 0; x < picture.width; x += blockSide) {
      const colour = colours[row[Math.min(x + blockSide / 2, picture.width - 1)] ?? 0] ?? [];
      for (let index = 0; index < before.length; index += 1) {
        const value = colour[index] ?? 0;
        writeBlock(bits, value - (before[index] ?? 0));
        before[index] = value;
      }
    }
  }
  return bits.finish();
}

function brightnessAndColour(palette: Uint8Array, shade: number): number[] {
  const [red = 0, green = 0, blue = 0] = palette.subarray(shade * 3, shade * 3 + 3);
  const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
  return [brightness - 128, 0.564 * (blue - brightness), 0.713 * (red - brightness)].map(Math.round);
}

function writeBlock(bits: Bits, difference: number): void {
  const size = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
  const [code, length] = codes[size] ?? [0, 0];
  bits.write(code, length);
  bits.write(difference < 0 ? difference + 2 ** size - 1 : difference, size);
  // The block has nothing else.
  bits.write(0, 1);
}

type Bits = ReturnType<typeof createBits>;

function createBits() {
  let bytes = Buffer.alloc(64 * 1024);
  let length = 0;
  let held = 0;
  let heldBits = 0;
  const put = (byte: number) => {
    if (length + 2 > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
    bytes[length++] = byte;
    // 255 begins a marker unless a 0 follows.
    if (byte === 0xff) bytes[length++] = 0;
  };
  const write = (value: number, count: number) => {
    held = (held << count) | value;
    heldBits += count;
    for (; heldBits >= 8; heldBits -= 8) put((held >> (heldBits - 8)) & 0xff);
    held &= 2 ** heldBits - 1;
  };
  return {
    write,
    finish: (): Buffer => {
      if (heldBits > 0) write(2 ** (8 - heldBits) - 1, 8 - heldBits);
      return bytes.subarray(0, length);
    },
  };
}

const commentOverhead = 4;
const largestComment = 65_535 + 2;

/** The same picture with comments, so that it has exactly so many bytes; unchanged where it has more. */
export function padJpeg(jpeg: Buffer, bytes: number): Buffer {
  const comments: Buffer[] = [];
  let missing = bytes - jpeg.length;
  while (missing >= commentOverhead) {
    // What is left must be nothing, or enough for one more.
    const size = missing <= largestComment ? missing : Math.min(largestComment, missing - commentOverhead);
    comments.push(comment(size));
    missing -= size;
  }
  return Buffer.concat([start, ...comments, jpeg.subarray(start.length)]);
}

function comment(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.set([0xff, 0xfe, ...word(size - 2)]);
  return bytes;
}
