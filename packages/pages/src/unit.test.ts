import { expect, test } from 'vitest';
import { countUnit, dollars, dollarUnit, percentUnit, timeUnit } from './unit.ts';

test.each([
  [countUnit, 1_234_567, '1.23M', '1,234,567'],
  [countUnit, 0, '0', '0'],
  [dollarUnit, 12_345.678, '$12.3K', '$12,345.68'],
  [dollarUnit, 0.01, '$0.01', '$0.01'],
  [dollarUnit, 0.009_99, '$0.00999', '$0.01'],
  [dollarUnit, 0.001_234, '$0.00123', '$0.0012'],
  [timeUnit, 999, '999 ms', '999 ms'],
  [timeUnit, 1_000, '1 s', '1 s'],
  [timeUnit, 119_999, '120 s', '120 s'],
  [timeUnit, 120_000, '2 min', '2 min'],
  [percentUnit, 0.0261, '2.61 %', '2.61 %'],
  [percentUnit, 0.3531, '35.3 %', '35.3 %'],
  [percentUnit, 0.000_637, '0.06 %', '0.06 %'],
  [percentUnit, 0.000_04, '< 0.01 %', '< 0.01 %'],
  [percentUnit, 0, '0 %', '0 %'],
  [percentUnit, 1, '100 %', '100 %'],
])('writes %# %d as %s and %s', (unit, value, short, exact) => {
  expect([unit.short(value), unit.exact(value)]).toEqual([short, exact]);
});

test('an amount with fifteen decimal places is rounded, and nothing has no cents', () => {
  expect(['0', '0.000000000000001', '1234.567890123456789'].map(dollars)).toEqual(['$0', '$1e-15', '$1,234.57']);
});
