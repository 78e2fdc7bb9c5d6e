import { countUnit } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { comparison } from './number-tile.ts';

test.each([
  [112, 100, '+12 % from 100'],
  [88, 100, '−12 % from 100'],
  [100, 100, 'unchanged from 100'],
  [5, 0, 'from none'],
  [0, 0, 'none before'],
  [2_000_000, 1_000_000, '+100 % from 1M'],
])('compares %s with %s', (now, before, text) => {
  expect(comparison(countUnit, now, before)).toBe(text);
});
