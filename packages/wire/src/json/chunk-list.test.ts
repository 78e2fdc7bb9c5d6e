import { expect, test } from 'vitest';
import { chunkList } from './chunk-list.ts';

const list = chunkList(['', 'ab', '', 'c', 'dab', ''].map((chunk) => Buffer.from(chunk)));
const text = 'abcdab';

test('reads as one, in any order', () => {
  const places = [0, 5, 2, 1, 3, 4, 0, 6, -1];
  expect(list.length).toBe(text.length);
  expect(places.map((place) => list.at(place))).toEqual(places.map((place) => Buffer.from(text)[place]));
});

test('slices as one', () => {
  for (let start = 0; start <= text.length; start++) {
    for (let end = start; end <= text.length; end++) {
      const slices = list.slices(start, end);
      expect(slices.join('')).toBe(text.slice(start, end));
      expect(slices.every(({ length }) => length > 0)).toBe(true);
    }
  }
});

test('of nothing is empty', () => {
  const nothing = chunkList([]);
  expect([nothing.length, nothing.at(0), nothing.slices(0, 0)]).toEqual([0, undefined, []]);
});
