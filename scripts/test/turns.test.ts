import { existsSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { outOfTurn, turns } from './turns.ts';

const files = turns.flat();

afterEach(() => void vi.unstubAllEnvs());

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

test('no project runs a file that is left out', async () => {
  vi.stubEnv('TEST_LEFT_FILES', files.join(','));
  const { default: config } = await import(`../../vitest.config.ts?left=${files.length}`);
  const projects: { test: { name: string; include: string[]; exclude?: string[] } }[] = config.test.projects;
  expect(projects.length).toBeGreaterThan(1);
  const isIn = (file: string, globs: readonly string[] = []) => globs.some((glob) => matchesGlob(file, glob));
  const runs = projects.flatMap(({ test: { name, include, exclude } }) =>
    files.filter((file) => isIn(file, include) && !isIn(file, exclude)).map((file) => `${name}: ${file}`),
  );
  expect(runs).toEqual([]);
});
