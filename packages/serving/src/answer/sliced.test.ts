import { expect, test } from 'vitest';
import { slicedAnswer } from './sliced.ts';

const head = { status: 200, headers: { 'content-type': 'application/json' } };
const withLength = (length: string) => ({ status: 200, headers: { ...head.headers, 'content-length': length } });

test('uses a single slice as the body', () => {
  const slice = Buffer.from('whole');
  const answer = slicedAnswer(head, [slice]);
  expect(answer.head).toEqual(withLength('5'));
  expect(answer.body).toBe(slice);
});

test('sends several slices in order, uncopied, with the total length', async () => {
  const slices = ['a', 'longer', ''].map((text) => Buffer.from(text));
  const answer = slicedAnswer(head, slices);
  expect(answer.head).toEqual(withLength('7'));
  const expected = [...slices];
  for await (const slice of answer.body as AsyncIterable<Uint8Array>) expect(slice).toBe(expected.shift());
  expect([expected, slices]).toEqual([[], []]);
});
