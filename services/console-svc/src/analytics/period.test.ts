import { expect, test } from 'vitest';
import { apiPeriod, apiPeriodBefore, apiPeriodWithBefore, fullName, periodOf, shortName } from './period.ts';

const now = Date.parse('2026-03-01T09:30:00Z');

test('days are those of UTC, with the current one, and the same number before them', () => {
  const period = periodOf('7d', now);
  expect([apiPeriodBefore(period), apiPeriod(period), apiPeriodWithBefore(period)]).toEqual([
    { from: '2026-02-16', to: '2026-02-22' },
    { from: '2026-02-23', to: '2026-03-01' },
    { from: '2026-02-16', to: '2026-03-01' },
  ]);
  const last = period.parts.at(-1);
  expect(last).toEqual({
    at: '2026-03-01T00:00:00Z',
    group: '2026-03-01',
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
  });
  expect(last && [shortName(last, 'day'), fullName(last, 'day')]).toEqual(['Mar 1', '2026-03-01']);
});

test('hours are counted back from the current one', () => {
  const period = periodOf('24h', now);
  expect([apiPeriod(period), apiPeriodWithBefore(period), apiPeriodBefore(period)]).toEqual([
    { hours: 24 },
    { hours: 48 },
    undefined,
  ]);
  expect([period.parts.length, period.parts[0]?.at, period.before.at(-1)?.at]).toEqual([
    24,
    '2026-02-28T10:00:00Z',
    '2026-02-28T09:00:00Z',
  ]);
  const last = period.parts.at(-1);
  expect(last?.group).toBe('2026-03-01T09:00:00Z');
  expect(last && [shortName(last, 'hour'), fullName(last, 'hour')]).toEqual(['09:00', '2026-03-01 09:00']);
});
