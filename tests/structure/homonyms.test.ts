import { expect, test } from 'vitest';
import { allowedHomonyms, homonymRate, homonymsIn, linesOf } from './homonyms.ts';
import { productionSources } from './sources.ts';

test('a name is exported from one file only', () => {
  const names = homonymsIn(productionSources());
  expect(
    Object.fromEntries([...names].filter(([name]) => !allowedHomonyms.includes(name))),
    'Name the difference, share one declaration, or do not export it. Two equal meanings: add to allowedHomonyms.',
  ).toEqual({});
  expect(allowedHomonyms.filter((name) => !names.has(name))).toEqual([]);
});

test('finds names that two files declare and export', () => {
  const files = {
    'a.ts': 'export const usageOf = 1;\nexport type Usage = string;\nconst own = 1;',
    'b.ts': 'export async function usageOf() {}\nexport { Usage } from "./a.ts";\nconst own = 2;',
    'c.ts': 'export function* pieces(): void;\nexport function* pieces() {}\nexport abstract class Usage {}\n',
  };
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const homonyms = homonymsIn(given);
  expect([...homonyms]).toEqual([
    ['Usage', ['a.ts', 'c.ts']],
    ['usageOf', ['a.ts', 'b.ts']],
  ]);
  expect(homonymRate(homonyms, linesOf(given))).toBe(400);
});
