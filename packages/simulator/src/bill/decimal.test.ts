import { expect, test } from 'vitest';
import { product, sum } from './decimal.ts';

test('multiplies and adds without rounding', () => {
  expect(product('0.1', '0.025', 3)).toBe('0.0075');
  expect(product('12.50', '8')).toBe('100');
  expect(product('0', '5')).toBe('0');
  expect(sum('0.1', '0.2', '3')).toBe('3.3');
  expect(sum()).toBe('0');
});
