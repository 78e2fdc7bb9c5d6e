import { detectorNames } from '@switchyard/contracts';
import { describe, expect, test } from 'vitest';
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

const times = 16;
/** How many of the pieces are searched: enough for a time that can be measured. */
const searched = 4;
/** Far from both. */
const highest = 5;

/**
 * How many times longer one long text takes than the same text in pieces, each searched by itself: 1 if the time is
 * linear, 16 if it is quadratic. The least of several trials, because other work on the machine only adds to it.
 */
function growth(find: (text: string) => unknown, unit: string, characters: number): number {
  const piece = unit.repeat(Math.ceil(characters / unit.length));
  const whole = piece.repeat(times);
  find(piece);
  let least = Infinity;
  for (let trial = 0; trial < 10 && least > highest; trial += 1) {
    const startedAt = performance.now();
    for (let count = 0; count < searched; count += 1) find(piece);
    const betweenAt = performance.now();
    find(whole);
    const pieces = ((betweenAt - startedAt) * times) / searched;
    least = Math.min(least, (performance.now() - betweenAt) / pieces);
  }
  return least;
}

describe.each(detectorNames)('the time of %s grows with the text', (name) => {
  test.each(hostile)('%j', (unit) => expect(growth(detectors[name], unit, 16_000)).toBeLessThanOrEqual(highest));
});

describe.each(patterns)('the time of %s grows with the text', (source) => {
  const pattern = compilePattern(source, 'pattern');
  test.each(['a', 'x', 'ab', 'a!', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'])('%j', (unit) => {
    expect(growth(pattern.find, unit, 2_000)).toBeLessThanOrEqual(highest);
  });
});
