import { expect, test } from 'vitest';
import { VectorReader } from './vectors.ts';

const read = (text: string, size = text.length) => {
  const reader = new VectorReader();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  const { value, vectors } = reader.end();
  return { value, vectors: vectors.map(({ kind, slices }) => [kind, Buffer.concat(slices).toString()]) };
};

const long = 'A'.repeat(300);
const document = `{"object":"list","note":"a [1,2] \\" ü","data":[{"embedding":[0.1, -2e-3,\n4],"index":0},{"embedding":"${long}"}],"none":[],"usage":{"prompt_tokens":3}}`;
const expected = {
  value: {
    object: 'list',
    note: 'a [1,2] " ü',
    data: [{ embedding: 0, index: 0 }, { embedding: 1 }],
    none: [],
    usage: { prompt_tokens: 3 },
  },
  vectors: [
    ['numbers', '0.1, -2e-3,\n4'],
    ['text', long],
  ],
};

test.each([1, 2, 3, 7, 64, 10_000])('keeps vectors as bytes, in pieces of %d bytes', (size) => {
  expect(read(document, size)).toEqual(expected);
});

test('parses short strings, and long ones with escapes', () => {
  const escaped = `${long}\\n`;
  expect(read(`{"a":"short","b":"${escaped}"}`)).toEqual({ value: { a: 'short', b: `${long}\n` }, vectors: [] });
});

test.each([
  ['{"data":[{"embedding":[0.1,null]}]}', 'other than numbers'],
  ['{"data":[{"embedding":[0.1,[1]]}]}', 'other than numbers'],
  ['{"data":[{"embedding":[0.1', 'ends inside'],
  ['{"data":"x', 'ends inside'],
  ['{"data":[NaN]}', 'not JSON'],
  ['', 'not JSON'],
])('refuses %s', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('bounds what it parses', () => {
  const reader = new VectorReader();
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const pushAll = (count: number) => Array.from({ length: count }, () => reader.push(piece));
  pushAll(4);
  expect(() => reader.push(piece)).toThrow('too much besides vectors');
});
