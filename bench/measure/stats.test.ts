import { describe, expect, test } from 'vitest';
import { createSamples, median, quantilesOf } from './stats.ts';

describe('quantiles', () => {
  test('are the smallest sample that reaches the share', () => {
    const hundred = Float64Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantilesOf(hundred)).toEqual({ count: 100, p50: 50, p99: 99, max: 100 });
    expect(quantilesOf(Float64Array.of(7))).toEqual({ count: 1, p50: 7, p99: 7, max: 7 });
    expect(quantilesOf(new Float64Array())).toEqual({ count: 0, p50: 0, p99: 0, max: 0 });
  });

  test('of samples ignore values before `clear` and beyond the limit', () => {
    const samples = createSamples(1_500);
    samples.add(9_999);
    samples.clear();
    for (let value = 1; value <= 1_501; value++) samples.add(value);
    expect(samples.quantiles()).toEqual({ count: 1_500, p50: 750, p99: 1_485, max: 1_500 });
  });
});

test('the median of an even number of values is the mean of the middle two', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, 0]);
});
