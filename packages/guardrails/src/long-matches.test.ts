import { describe, expect, test } from 'vitest';
import { compilePattern, mostMatches } from './patterns.ts';

const found = (source: string, text: string): string[] =>
  compilePattern(source, 'p')
    .find(text)
    .map(({ start, end }) => text.slice(start, end));

const long = '.'.repeat(5_000);

describe('a match of any length is found whole', () => {
  test.each([511, 512, 513, 1_535, 1_536, 2_040, 2_048, 2_049, 4_096, 100_000])('%i characters', (length) => {
    const secret = `BEGIN${'.'.repeat(length - 8)}END`;
    for (const before of ['', 'x'.repeat(1_500), 'x'.repeat(2_047), long]) {
      expect(found('(?s)BEGIN.*?END', `${before}${secret}${long}`)).toEqual([secret]);
    }
  });

  test.each([
    ['with a greedy end', 'secret: .+', `secret: ${long}`, '\nother'],
    ['with an optional end', 'secret(?:.*end)?', `secret${long}end`, '\nother'],
    ['with a shorter match of another alternative in it', '(?s)BEGIN.*?END|foo', `BEGIN${long}foo${long}END`, long],
    ['of one class', '[a-z]{4,}', 'x'.repeat(10_000), '.'],
  ])('%s', (_name, source, secret, after) => {
    expect(found(source, `${long}${secret}${after}`)).toEqual([secret]);
  });

  test('after many short ones', () => {
    const secret = `BEGIN${long}foo${long}END`;
    expect(found('(?s)BEGIN.*?END|foo', `${'foo '.repeat(1_000)}${secret} foo`).slice(1_000)).toEqual([secret, 'foo']);
  });
});

test('where searches read a text too often, the rest of it is one match', () => {
  const text = 'BEGIN foo '.repeat(mostMatches - 1);
  expect(found('(?s)BEGIN.*?END|foo', text).at(-1)?.endsWith(text.slice(-1_000))).toBe(true);
  // A few beginnings without an end are no reason for that.
  const usual = `${'BEGIN foo '.repeat(10)}${'foo '.repeat(1_000)}.`;
  expect(found('(?s)BEGIN.*?END|foo', usual)).toEqual(Array<string>(1_010).fill('foo'));
});
