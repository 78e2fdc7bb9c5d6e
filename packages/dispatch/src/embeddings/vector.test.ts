import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeptVector } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { toVectorTexts } from './vector.ts';

const kept = (kind: KeptVector['kind'], ...slices: string[]): KeptVector => ({
  kind,
  slices: slices.map((slice) => Buffer.from(slice)),
});
const base64Of = (...numbers: number[]): string => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeFloatLE(number, at * 4);
  return bytes.toString('base64');
};
const textOf = async (vector: KeptVector, encoding: 'base64' | 'float', scale = false) =>
  (await toVectorTexts([vector], { encoding, scale })).map((parts) => Buffer.concat([...parts]).toString());

test.each([
  ['numbers as they are', kept('numbers', '0.50, -2', '.5e0'), 'float', '[0.50, -2.5e0]'],
  ['base64 as it is', kept('text', base64Of(0.5, -2)), 'base64', `"${base64Of(0.5, -2)}"`],
  ['numbers as base64', kept('numbers', '0.5, -2', '.5e0'), 'base64', `"${base64Of(0.5, -2.5)}"`],
  ['base64 as numbers', kept('text', base64Of(0.5, -2.5)), 'float', '[0.5,-2.5]'],
] as const)('returns %s', async (_name, vector, encoding, expected) => {
  expect(await textOf(vector, encoding)).toEqual([expected]);
});

test('scales a vector to length 1, except one of zeros', async () => {
  expect(await textOf(kept('numbers', '3,4'), 'base64', true)).toEqual([`"${base64Of(0.6, 0.8)}"`]);
  expect(await textOf(kept('numbers', '0,0'), 'float', true)).toEqual(['[0,0]']);
});

test.each([
  ['text that is not base64', kept('text', 'not "base64"'), 'base64'],
  ['half a number', kept('text', 'AAAAAAA='), 'float'],
  ['numbers that are not JSON', kept('numbers', '1,,2'), 'base64'],
] as const)('refuses %s', async (_name, vector, encoding) => {
  await expect(textOf(vector, encoding)).rejects.toThrow();
});

test('lets other requests run while it converts', async () => {
  const vectors = Array.from({ length: 64 }, () =>
    kept('numbers', Array.from({ length: 6_000 }, () => '0.123456789').join()),
  );
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    while (!isDone) {
      await nextTurn();
      turns += 1;
    }
  })();
  await toVectorTexts(vectors, { encoding: 'base64', scale: false });
  isDone = true;
  await counting;
  // Each vector has 72 kB, and a step 64 kB.
  expect(turns).toBeGreaterThanOrEqual(64);
});
