import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millisecondsBetween } from './elapsed.ts';

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000);

test.each([
  [0, 0.0004, 0],
  [0.0004, 0.0006, 0.001],
  [1_000.1, 1_014.3333, 14.233],
])('from %d to %d are %d ms', (from, to, expected) => {
  expect(millisecondsBetween(from, to)).toBe(expected);
});

test('parts that follow each other add up to the whole, although each is rounded', () => {
  const reading = fc.integer({ min: 0, max: 1_000_000 }).map((nanoseconds) => nanoseconds / 1_000_000);
  fc.assert(
    fc.property(fc.array(reading, { minLength: 3, maxLength: 3 }), (readings) => {
      const [start = 0, between = 0, end = 0] = readings.toSorted((one, other) => one - other);
      const parts = [millisecondsBetween(start, between), millisecondsBetween(between, end)];
      expect(parts.map(microseconds).reduce((sum, part) => sum + part)).toBe(
        microseconds(millisecondsBetween(start, end)),
      );
    }),
  );
});
