import { expect, test } from 'vitest';
import { parseJsonBody } from './body.ts';

const kibibyte = 1024;
/** Lengths on both sides of every limit, in an order that fills batches unevenly. */
const lengths = [64, 1024, 63, 700, 900, 1025, 65, 1023, 64, 300, 2048, 64].map((length) => length * kibibyte);
const value = lengths.flatMap((length, index) => [-1, 0, 1].map((more) => String(index % 10).repeat(length + more)));

function cutAt(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

test.each([1e9, 16 * kibibyte, 100_003])(
  'texts of every length are as JSON.parse reads them, in pieces of %i',
  (size) => {
    const body = Buffer.from(JSON.stringify({ texts: value, again: { first: value[0] } }));
    const read = parseJsonBody(cutAt(body, size), () => 'nonce');
    expect(read.ok && JSON.stringify(read.value) === body.toString()).toBe(true);
  },
);
