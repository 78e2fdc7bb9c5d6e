import { expect, test } from 'vitest';
import { filtersIn, inputOfFilters, listAddress } from './filters.ts';

const now = Date.parse('2026-11-23T12:00:00Z');

test('reads the filters of an address, without empty and unknown ones', () => {
  expect(filtersIn({ last: '24h', model: ' gpt-6-luna ', provider: '', cursor: '1.a', other: 'x' })).toEqual({
    last: '24h',
    model: 'gpt-6-luna',
  });
});

test.each([
  ['a period', { last: '1h' }, { from: '2026-11-23T11:00:00.000Z' }],
  ['an unknown period', { last: '2h' }, {}],
  [
    'a time, which is more exact than a period',
    { last: '1h', from: '2026-11-20T08:30' },
    { from: '2026-11-20T08:30:00.000Z' },
  ],
  ['a time with a zone', { to: '2026-11-20T08:30:00+02:00' }, { to: '2026-11-20T06:30:00.000Z' }],
  ['no time at all, which the operation refuses', { from: 'yesterday' }, { from: 'yesterday' }],
  ['everything else as it is', { error: 'any', cost_over: '0.5' }, { error: 'any', cost_over: '0.5' }],
])('passes on %s', (_what, filters, input) => {
  expect(inputOfFilters(filters, now)).toEqual(input);
});

test('writes an address that has the filters and the place in the list', () => {
  expect(listAddress('/dashboard/a', {})).toBe('/dashboard/a/requests');
  expect(listAddress('/dashboard/a', { model: 'a/b&c' }, '5.use_1')).toBe(
    '/dashboard/a/requests?model=a%2Fb%26c&cursor=5.use_1',
  );
});
