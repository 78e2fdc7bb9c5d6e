import { detectorNames } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../tests/support/growth.ts';
import { detectors } from './detectors/index.ts';
import { compilePattern } from './patterns.ts';

/** Texts that make careless detectors and backtracking patterns slow: many beginnings without an end. */
const hostile: readonly string[] = [
  'a',
  '@',
  'a@a.',
  'a@',
  '1',
  '4 ',
  '41-',
  '4111 1111 ',
  '+1(',
  '(',
  '0.',
  '::',
  'f:',
  'DE89 ',
  'eyJ',
  'eyJ.',
  'eyJa.eyJ',
  'sk-',
  '-',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nA-',
  '-----BEGIN ',
  '\u{1f600}',
];

const patterns: readonly string[] = [
  '(a+)+$',
  '(a|a)*b',
  '(a|aa)+$',
  '(.*a){12}',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  'a(?:.*b)?',
  '(x+x+)+y',
  '([a-zA-Z0-9])(([.-]|[_]+)?([a-zA-Z0-9]+))*(@)',
  '(?:a?){30}a{30}',
];

const growth = (find: (text: string) => unknown, unit: string, characters: number): number =>
  growthOf(find, (length) => unit.repeat(Math.ceil(length / unit.length)), characters);

describe.each(detectorNames)('the time of %s grows with the text', (name) => {
  test.each(hostile)('%j', (unit) => expect(growth(detectors[name], unit, 64_000)).toBeLessThanOrEqual(highestGrowth));
});

describe.each(patterns)('the time of %s grows with the text', (source) => {
  const pattern = compilePattern(source, 'pattern');
  test.each(['a', 'x', 'ab', 'a!', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'])('%j', (unit) => {
    // Shorter pieces are searched by a quicker engine.
    expect(growth(pattern.find, unit, 96_000)).toBeLessThanOrEqual(highestGrowth);
  });
});
