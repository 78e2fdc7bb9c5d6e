import { expect, test } from 'vitest';
import { boundedMap } from './bounded-map.ts';

test('drops the entry that was set first when it is full', () => {
  const map = boundedMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect([map.get('a'), map.get('b')]).toEqual([1, 2]);
  map.set('a', 3);
  map.set('c', 4);
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
});
