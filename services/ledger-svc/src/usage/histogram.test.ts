import { expect, test } from 'vitest';
import { percentilesOf, readHistogram, sumHistograms } from './histogram.ts';

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

test.each([
  ['{}', []],
  [
    '{4,5}',
    [
      [1, 4],
      [2, 5],
    ],
  ],
  [
    '[27:29]={3,NULL,1}',
    [
      [27, 3],
      [28, 0],
      [29, 1],
    ],
  ],
  [
    '[-1:0]={7,8}',
    [
      [-1, 7],
      [0, 8],
    ],
  ],
])('reads the array %s by its subscripts', (text, buckets) => {
  expect([...readHistogram(text)]).toEqual(buckets);
});

test('adds histograms up and subtracts those with a negative sign', () => {
  const sum = sumHistograms([
    { histogram: '[3:4]={5,6}', sign: 1 },
    { histogram: '[4:5]={1,2}', sign: 1 },
    { histogram: '[3:3]={5}', sign: -1 },
  ]);
  expect([...sum]).toEqual([
    [3, 0],
    [4, 7],
    [5, 2],
  ]);
  expect(percentilesOf(sum)?.count).toBe(9);
});
