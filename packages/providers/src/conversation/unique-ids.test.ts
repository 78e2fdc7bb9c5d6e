import { expect, test } from 'vitest';
import { createUniqueIds } from './unique-ids.ts';

test('keeps the first of each id, and numbers the others past ids that are taken', () => {
  const uniqueId = createUniqueIds();
  expect(['a', 'a_2', 'b', 'a', 'a', 'b', 'a_2'].map(uniqueId)).toEqual([
    'a',
    'a_2',
    'b',
    'a_3',
    'a_4',
    'b_2',
    'a_2_2',
  ]);
});

test('names two hundred thousand equal ids at once', () => {
  const names = Array.from({ length: 200_000 }, () => 'call_0').map(createUniqueIds());
  expect([new Set(names).size, names.at(-1)]).toEqual([200_000, 'call_0_200000']);
});
