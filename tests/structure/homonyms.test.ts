import { describe, expect, test } from 'vitest';
import { allowedHomonyms, homonymRate, homonymsIn, linesOf } from './homonyms.ts';
import { allAreHeld, isHeldTo } from './not-yet.ts';
import { productionSources } from './sources.ts';

const sources = productionSources();
const held = sources.filter(({ path }) => isHeldTo(path));

describe('names exported from more than one file', () => {
  test('are all in homonyms.json', () => {
    const unlisted = [...homonymsIn(held)].filter(([name]) => !allowedHomonyms.includes(name));
    expect(
      Object.fromEntries(unlisted),
      'Say in the name what differs, share one, or do not export it; homonyms.json is for words that mean the same.',
    ).toEqual({});
  });

  test.runIf(allAreHeld)('in homonyms.json still are', () => {
    const names = homonymsIn(sources);
    expect(
      allowedHomonyms.filter((name) => !names.has(name)),
      'These are declared in one place now: remove them from tests/structure/homonyms.json.',
    ).toEqual([]);
  });

  test('are listed once, in alphabetical order', () => {
    expect(allowedHomonyms).toEqual([...new Set(allowedHomonyms)].toSorted((a, b) => a.localeCompare(b, 'en')));
  });

  test('stay few: at most two such declarations in 1,000 lines', () => {
    expect(
      homonymRate(homonymsIn(held), linesOf(held)),
      '`node tests/structure/measure.ts` lists them: rename some.',
    ).toBeLessThanOrEqual(2);
  });
});

test('a name is a homonym where two files declare and export it', () => {
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
