import { expect, test } from 'vitest';
import { percentilesOf } from './histogram.ts';

/** The same bucket as in SQL. */
const bucketed = (values: readonly number[]): Map<number, number> => {
  const histogram = new Map<number, number>();
  for (const value of values) {
    const bucket = Math.floor((4 * Math.log(Math.max(value, 1))) / Math.log(2));
    histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
  }
  return histogram;
};

test('has no percentiles without values', () => {
  expect(percentilesOf(new Map())).toBeUndefined();
});

test.each([
  ['even', Array.from({ length: 1_000 }, (_, at) => at + 1)],
  ['skewed', Array.from({ length: 1_000 }, (_, at) => 1.01 ** at)],
  ['equal', Array.from({ length: 1_000 }, () => 250)],
  ['single', [42]],
])('percentiles are off by at most the width of a bucket: %s values', (_what, values) => {
  const sorted = values.toSorted((one, other) => one - other);
  const exact = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  const found = percentilesOf(bucketed(values));
  expect(found?.count).toBe(values.length);
  for (const [value, share] of [
    [found?.p50, 0.5],
    [found?.p95, 0.95],
  ] as const) {
    expect(Math.abs((value ?? 0) / exact(share) - 1)).toBeLessThan(0.19);
  }
});
