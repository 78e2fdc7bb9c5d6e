import { describe, expect, test } from 'vitest';
import { compilePattern, mostMatches } from './patterns.ts';

const find = (source: string, text: string) =>
  compilePattern(source, 'p')
    .find(text)
    .map(({ start, end }) => text.slice(start, end));

test('finds every match', () => {
  expect(find('(?i)project[ -]falcon', 'Project Falcon, project-falcon')).toEqual(['Project Falcon', 'project-falcon']);
  expect(find('\\bcat\\b', 'cat concat cat.')).toEqual(['cat', 'cat']);
  expect(find('^a|b$', 'aab b')).toEqual(['a', 'b']);
});

test('finds matches wherever they are in a long text', () => {
  for (let at = 1_300; at < 2_300; at += 1) {
    const text = `${'.'.repeat(at)}${'x'.repeat(300)}${'.'.repeat(3_000)}x`;
    expect(find('x+', text).join(' ')).toBe(`${'x'.repeat(300)} x`);
  }
});

test('the boundary of a word is that of the text, not of a part of it', () => {
  const text = `${'ab '.repeat(2_000)}a`;
  expect(find('\\ba\\b', text)).toEqual(['a']);
});

test('beyond the most matches, the rest of the text is one match', () => {
  expect(find('x', 'x'.repeat(mostMatches - 1))).toHaveLength(mostMatches - 1);
  expect(find('x', 'x'.repeat(mostMatches))).toHaveLength(mostMatches);
  expect(find('x', 'x'.repeat(mostMatches + 1))).toHaveLength(mostMatches + 1);
  expect(find('x', 'x'.repeat(mostMatches + 2)).at(-1)).toBe('xx');
  expect(find('x', 'x.'.repeat(mostMatches + 5)).at(-1)).toBe(`.${'x.'.repeat(5)}`);
});

describe('refuses', () => {
  test.each([
    ['(', 'is not a pattern of RE2'],
    ['(?=a)', 'is not a pattern of RE2'],
    ['(a)\\1', 'is not a pattern of RE2'],
    ['a{1001}', 'is not a pattern of RE2'],
    ['((a{30}){30}){30}', 'is not a pattern of RE2'],
    ['a*', 'must not match the empty text'],
    ['^', 'must not match the empty text'],
    ['a{500}', 'is too large'],
  ])('%s', (source, problem) => {
    expect(() => compilePattern(source, 'guardrails.request.patterns[0].pattern')).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        param: 'guardrails.request.patterns[0].pattern',
        message: expect.stringContaining(problem),
      }),
    );
  });
});

test('the largest pattern is 250 instructions', () => {
  expect(find('a{248}', 'a'.repeat(248))).toHaveLength(1);
  expect(() => compilePattern('a{249}', 'p')).toThrow('too large');
});
