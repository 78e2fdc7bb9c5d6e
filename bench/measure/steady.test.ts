import { expect, test } from 'vitest';
import { isSteady } from './steady.ts';

test('costs are steady after four portions without an improvement', () => {
  expect(isSteady([10, 8, 7, 7, 7])).toBe(false);
  expect(isSteady([10, 8, 7, 7, 7, 7])).toBe(false);
  expect(isSteady([10, 8, 7, 7, 7, 7, 7])).toBe(true);
});

test('an improvement within the noise does not count', () => {
  expect(isSteady([100, 99, 99, 99, 98.1])).toBe(true);
  expect(isSteady([100, 99, 99, 99, 97.9])).toBe(false);
});

test('a system without processes is steady after one portion', () => {
  expect(isSteady([])).toBe(false);
  expect(isSteady([NaN])).toBe(true);
});
