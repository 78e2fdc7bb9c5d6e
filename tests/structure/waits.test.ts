import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLong, isTest, subjectsOf } from '../../scripts/test/reach.ts';
import { occurrences, readAll, root } from './sources.ts';

const suites = readAll('{packages,services,scripts,tests}/**/*.{test,suite}.{ts,mjs}').filter(
  ({ path }) => !path.startsWith('tests/structure/'),
);

describe('what tests wait for (docs/testing.md)', () => {
  test('no test has a deadline in seconds: a wait ends with what it waits for', () => {
    const deadlines = [
      ...occurrences(suites, /\btimeout: (\d|\w+Ms\b)|^\s*\}, [\d_]{4,}\);|\bvi\.wait(For|Until)\(/),
      ...occurrences(suites, /\bwaitUntil\(.*deadlineMs: \d/),
      ...occurrences(suites, /^\s*(before|after)(All|Each)\(.*, [\d_]{4,}\);$/),
    ].filter((place) => !ownOptions.test(place));
    expect(deadlines, 'Remove it. A time that the product promises is `patient(ms)`.').toEqual([]);
  });

  test('no test sleeps without saying why', () => {
    const sleeps = suites.flatMap(({ path, text }) => {
      const lines = text.split('\n');
      return lines.flatMap((line, at) =>
        sleep.test(line) && !lines[at - 1]?.includes('// Pause: ') ? [`${path}:${at + 1} ${line.trim()}`] : [],
      );
    });
    expect(sleeps, 'Wait for a condition with `expect.poll`, or say above it: "// Pause: why".').toEqual([]);
  });

  test('a test that starts processes of the gateway says why', () => {
    const silent = suites
      .filter(
        ({ path, text }) => isTest(path) && !isLong(path) && starts.test(text) && !text.includes('// Processes: '),
      )
      .map(({ path }) => path);
    expect(silent, 'Use `startGateway`, or say above the test: "// Processes: why".').toEqual([]);
  });

  test('a long test says why it is long, and what it is about', () => {
    const wrong = suites
      .filter(({ path, text }) => isLong(path) && !/\/\/ Long: \S/.test(text))
      .map(({ path }) => path);
    const lost = suites
      .filter(({ path }) => isLong(path))
      .flatMap((source) => {
        const subjects = subjectsOf(source);
        const missing = subjects.filter((subject) => !existsSync(join(root, subject)));
        return subjects.length === 0
          ? [`${source.path}: no "// About: "`]
          : missing.map((each) => `${source.path}: ${each}`);
      });
    expect([...wrong, ...lost]).toEqual([]);
  });
});

/** A sleep: a timer of a promise, or Node's. A race against one is a sleep as well. */
const sleep = /\bsetTimeout\((?!\s*\(\)\s*=>\s*\w+\.kill)|\bsetTimeout as \w+/;

const starts = /\b(startOneProcess|startDistributed|startMoneySystem|startTwoAuthReplicas)\(/;

/** Settings of programs that are tested, whose option has this name. */
const ownOptions = /litellm\.test|compose(-up)?\.test/;
