import { expect, test } from 'vitest';
import { slicedAnswer } from './sliced.ts';

const head = { status: 200, headers: { 'content-type': 'application/json' } };
const withLength = (length: string) => ({ status: 200, headers: { ...head.headers, 'content-length': length } });

test('one slice is the body', () => {
  const slice = Buffer.from('whole');
  const answer = slicedAnswer(head, [slice]);
  expect(answer.head).toEqual(withLength('5'));
  expect(answer.body).toBe(slice);
});

test('several leave in turn, not copied, with the length of all', async () => {
  const slices = ['a', 'longer', ''].map((text) => Buffer.from(text));
  const answer = slicedAnswer(head, slices);
  expect(answer.head).toEqual(withLength('7'));
  const expected = [...slices];
  for await (const slice of answer.body as AsyncIterable<Uint8Array>) expect(slice).toBe(expected.shift());
  expect([expected, slices]).toEqual([[], []]);
});
