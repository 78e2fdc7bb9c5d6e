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

/** The least time of several trials: other work on the machine only adds to it. */
function leastTime(work: () => unknown): number {
  let least = Infinity;
  for (let trial = 0; trial < 4; trial += 1) {
    const startedAt = performance.now();
    work();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

/** How many times longer a text takes that is 16 times as long: 16 if the time is linear, 256 if it is quadratic. */
function growth(find: (text: string) => unknown, unit: string, characters: number): number {
  const short = unit.repeat(Math.ceil(characters / unit.length));
  const long = short.repeat(16);
  find(short);
  return (
    leastTime(() => find(long)) /
    Math.max(
      leastTime(() => find(short)),
      0.2,
    )
  );
}

describe.each(detectorNames)('the time of %s grows with the text', (name) => {
  test.each(hostile)('%j', (unit) => expect(growth(detectors[name], unit, 16_000)).toBeLessThan(80));
});

describe.each(patterns)('the time of %s grows with the text', (source) => {
  const pattern = compilePattern(source, 'pattern');
  test.each(['a', 'x', 'ab', 'a!', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'])('%j', (unit) => {
    expect(growth(pattern.find, unit, 6_000)).toBeLessThan(80);
  });
});
