import { expect, test } from 'vitest';
import { createStampReader } from './stamps.ts';

const body = Buffer.from('{"a":"~t0000000000000042 ~ ~t1234567890123456"} ~t0000000000000007~');
const expected = [42, 1234567890123456, 7];

function stampsOf(pieces: readonly Buffer[]): number[] {
  const stamps: number[] = [];
  const read = createStampReader((stamp) => stamps.push(stamp));
  const shared = Buffer.alloc(body.length);
  for (const piece of pieces) read(shared.subarray(0, piece.copy(shared)));
  return stamps;
}

test('finds each stamp once, wherever the body is split', () => {
  expect(stampsOf([body])).toEqual(expected);
  for (let cut = 1; cut < body.length; cut++) {
    expect(stampsOf([body.subarray(0, cut), body.subarray(cut)])).toEqual(expected);
  }
  expect(stampsOf(Array.from(body, (byte) => Buffer.of(byte)))).toEqual(expected);
});
