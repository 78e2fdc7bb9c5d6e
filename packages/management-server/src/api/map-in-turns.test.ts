import { expect, test } from 'vitest';
import { mapInTurns } from './map-in-turns.ts';

test.each([
  [500, 0],
  [501, 1],
  [1_500, 2],
])('a list of %i items is mapped in order, with %i turns of others in between', async (length, turns) => {
  let between = 0;
  const count = (): void => {
    between += 1;
    others = setImmediate(count);
  };
  let others = setImmediate(count);
  const items = Array.from({ length }, (_, at) => at);
  expect(await mapInTurns(items, (item) => item * 2)).toEqual(items.map((item) => item * 2));
  clearImmediate(others);
  expect(between).toBe(turns);
});
