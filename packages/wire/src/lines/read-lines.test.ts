import { expect, test } from 'vitest';
import { type InputLine, readLines } from './read-lines.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  // The memory of a piece is used again, as a storage may do.
  const piece = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const taken = bytes.subarray(at, at + size);
    piece.set(taken);
    yield piece.subarray(0, taken.length);
  }
}

const tooLong = (line: number): Error => new Error(`line ${line}`);

async function linesOf(text: string, size: number, maxBytes = 100): Promise<InputLine[]> {
  const lines: InputLine[] = [];
  for await (const line of readLines(inPieces(Buffer.from(text), size), { maxBytes, tooLong })) lines.push(line);
  return lines;
}

const seen = ({ number, start, end, bytes }: InputLine) => [number, start, end, bytes.toString()];

test.each([1, 2, 3, 7, 100])('pieces of %i bytes have every line with its number and place', async (size) => {
  const text = 'first\r\n\n \t\nsecönd\nlast';
  expect((await linesOf(text, size)).map(seen)).toEqual([
    [1, 0, 6, 'first\r'],
    [4, 11, 18, 'secönd'],
    [5, 19, 23, 'last'],
  ]);
  const bytes = Buffer.from(text);
  for (const { start, end, bytes: line } of await linesOf(text, size))
    expect(bytes.subarray(start, end).equals(line)).toBe(true);
});

test('lines may begin anywhere in the input', async () => {
  const lines: InputLine[] = [];
  const bounds = { maxBytes: 10, tooLong, from: { byte: 500, line: 7 } };
  for await (const line of readLines(inPieces(Buffer.from('a\nbc\n'), 2), bounds)) lines.push(line);
  expect(lines.map(seen)).toEqual([
    [7, 500, 501, 'a'],
    [8, 502, 504, 'bc'],
  ]);
});

test.each([1, 64])('a line has at most so many bytes, and not one more (pieces of %i)', async (size) => {
  expect((await linesOf(`${'a'.repeat(10)}\nb`, size, 10)).length).toBe(2);
  await expect(linesOf(`ok\n${'a'.repeat(11)}\nb`, size, 10)).rejects.toThrow('line 2');
  await expect(linesOf('a'.repeat(11), size, 10)).rejects.toThrow('line 1');
});

test.each(['', '\n\n', ' '])('an input without a line has none: %j', async (text) => {
  expect(await linesOf(text, 3)).toEqual([]);
});
