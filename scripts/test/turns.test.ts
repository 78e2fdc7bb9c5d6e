import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outOfTurn, turns } from './turns.ts';

const files = turns.flat();

test('each file exists and has one group', () => {
  expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});

test('a run takes one file of each group, and consecutive samples take all', () => {
  const largest = Math.max(...turns.map((group) => group.length));
  const runs = Array.from({ length: largest }, (_, sample) => {
    const left = outOfTurn(sample);
    return files.filter((file) => !left.includes(file));
  });
  for (const taken of runs)
    expect(turns.map((group) => group.filter((file) => taken.includes(file)).length)).toEqual(turns.map(() => 1));
  expect(new Set(runs.flat())).toEqual(new Set(files));
});
