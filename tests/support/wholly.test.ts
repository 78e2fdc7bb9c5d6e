import { expect, test } from 'vitest';
import { sampled, wholly } from './wholly.ts';

test('samples that begin one apart cover every item once', () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  const samples = [0, 1, 2].map((from) => sampled(items, { stride: 3, from }));
  expect(samples).toEqual(wholly ? [items, items, items] : [['a', 'd'], ['c'], ['b', 'e']]);
});
