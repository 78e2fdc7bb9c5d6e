import { describe, expect, test } from 'vitest';
import { newContentKey, openContent, sealContent } from './sealed-content.ts';

const segment = 64 * 1024;
const sealedSegment = segment + 16;
const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256));

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const key = newContentKey();
const seal = (bytes: Buffer, piece = 50_000): Promise<Buffer> => joined(sealContent(inPieces(bytes, piece), key));

const open = (sealed: Buffer, bytes: number, { start = 0, end = bytes, with: other = key } = {}): Promise<Buffer> =>
  joined(
    openContent(
      { key: other, bytes, read: (range) => inPieces(sealed.subarray(range.start, range.end), 10_000) },
      { start, end },
    ),
  );

describe('sealed content', () => {
  test.each([1, 1_000, segment - 1, segment, segment + 1, 3 * segment, 3 * segment + 17])(
    'of %i bytes is opened as it was, and has 16 bytes more for each segment',
    async (length) => {
      const bytes = bytesOf(length);
      const sealed = await seal(bytes);
      expect(sealed.length).toBe(length + 16 * Math.ceil(length / segment));
      expect(sealed.includes(bytes.subarray(0, 32))).toBe(length < 32 ? sealed.includes(bytes) : false);
      expect((await open(sealed, length)).equals(bytes)).toBe(true);
    },
  );

  test.each([1, 7, segment, 5 * segment])('does not depend on pieces of %i bytes', async (piece) => {
    const bytes = bytesOf(piece === 1 ? 3_000 : 2 * segment + 5);
    expect((await seal(bytes, piece)).equals(await seal(bytes))).toBe(true);
  });

  const long = 2 * segment + 100;
  test.each([
    [0, 1],
    [10, 20],
    [segment - 1, segment + 1],
    [segment, 2 * segment],
    [2 * segment, long],
    [long - 1, long],
    [0, long],
  ])('is opened from %i to %i', async (start, end) => {
    const bytes = bytesOf(long);
    expect((await open(await seal(bytes), long, { start, end })).equals(bytes.subarray(start, end))).toBe(true);
  });
});

describe('content that was changed is refused', () => {
  const length = 2 * segment + 100;
  const bytes = bytesOf(length);
  const at = (sealed: Buffer, index: number): Buffer =>
    sealed.subarray(index * sealedSegment, (index + 1) * sealedSegment);
  const damaged = { code: 'internal_error', message: expect.stringContaining('is damaged') };

  test.each<[string, (sealed: Buffer) => Buffer]>([
    ['with a bit turned', (sealed) => Buffer.from(sealed).fill((sealed[70_000] ?? 0) ^ 1, 70_000, 70_001)],
    ['with segments swapped', (sealed) => Buffer.concat([at(sealed, 1), at(sealed, 0), at(sealed, 2)])],
    ['with a segment twice', (sealed) => Buffer.concat([at(sealed, 0), at(sealed, 0), at(sealed, 2)])],
    ['without its last segment', (sealed) => sealed.subarray(0, 2 * sealedSegment)],
    ['with its last segment cut', (sealed) => sealed.subarray(0, -1)],
    ['without its first segment', (sealed) => sealed.subarray(sealedSegment)],
    ['with nothing left', () => Buffer.alloc(0)],
  ])('%s', async (_how, change) => {
    const changed = change(await seal(bytes));
    await expect(open(changed, length)).rejects.toMatchObject(damaged);
  });

  test('as a shorter one, although the length is changed, too', async () => {
    const sealed = await seal(bytes);
    await expect(open(sealed.subarray(0, 2 * sealedSegment), 2 * segment)).rejects.toMatchObject(damaged);
  });

  test('with the segments of another file', async () => {
    await expect(open(await seal(bytes), length, { with: newContentKey() })).rejects.toMatchObject(damaged);
  });
});
