import { expect, test } from 'vitest';
import { budgetPeriod, hourOf } from './budget-period.ts';
import type { Budget } from './budget.ts';

test.each<[Budget['period'], string, string, string]>([
  ['day', '2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-22'],
  ['day', '2026-11-22T00:00:00.000Z', '2026-11-22', '2026-11-23'],
  ['week', '2026-11-22T23:00:00.000Z', '2026-11-16', '2026-11-23'],
  ['week', '2026-11-23T00:00:00.000Z', '2026-11-23', '2026-11-30'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
  ['month', '2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01'],
])('the %s of %s', (period, now, from, until) => {
  expect(budgetPeriod(period, new Date(now))).toEqual({ from: new Date(from), until: new Date(until) });
});

test('the period `total` has no start and no end', () => {
  expect(budgetPeriod('total', new Date())).toEqual({});
});

test('hourOf rounds down to the full hour', () => {
  expect(hourOf(new Date('2026-11-21T20:59:59.999Z'))).toBe('2026-11-21T20:00:00.000Z');
  expect(hourOf(new Date('2026-11-21T21:00:00.000Z'))).toBe('2026-11-21T21:00:00.000Z');
});
