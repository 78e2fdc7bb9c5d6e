import { expect, test } from 'vitest';
import { everyNth } from './wholly.ts';

test('samples that begin one apart cover every item once', () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  expect([0, 1, 2].map((from) => everyNth(items, 3, from))).toEqual([['a', 'd'], ['c'], ['b', 'e']]);
});
