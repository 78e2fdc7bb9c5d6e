import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { longest, longestFirst } from './longest-first.ts';

test('each file exists and is listed once', () => {
  expect(longest.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});

test('puts the longest files of each project first, and keeps the order of the others and of projects', () => {
  const [first = '', second = ''] = longest;
  const file = (project: string, path: string) => ({ moduleId: `/root/${path}`, project: { name: project } });
  const ordered = longestFirst(
    [file('unit', 'b'), file('unit', second), file('unit', 'a'), file('system', 'c'), file('system', first)],
    '/root',
  );
  expect(ordered).toEqual([
    file('unit', second),
    file('unit', 'b'),
    file('unit', 'a'),
    file('system', first),
    file('system', 'c'),
  ]);
});
