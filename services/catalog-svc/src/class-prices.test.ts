import { expect, test } from 'vitest';
import { withClassPrices } from './class-prices.ts';

test.each([
  ['1', '2', '2'],
  ['10', '2', '20'],
  ['2', '1.25', '2.5'],
  ['0.5', '2', '1'],
  ['0.000001', '1.25', '0.00000125'],
  ['0', '2', '0'],
])('a price of %s, multiplied by %s, is %s', (prompt, factor, expected) => {
  const rule = { providers: ['a'], factors: { input_cache_write_1h: factor }, source: 'a', asOf: '2026-11-27' };
  const pricing = { prompt, input_cache_write: prompt };
  expect(withClassPrices({ provider: 'a', pricing }, [rule]).pricing).toEqual({
    ...pricing,
    input_cache_write_1h: expected,
  });
});
