import { expect, test } from 'vitest';
import { type HealthHour, incidentsIn, leastAttempts } from './incidents.ts';

const hour = (at: number, failed: number, changes: Partial<HealthHour> = {}): HealthHour => ({
  provider: 'alpha',
  at: new Date(Date.UTC(2026, 10, 20, at)),
  attempts: 100,
  failed,
  ...changes,
});

test('consecutive hours with many failures are one incident', () => {
  expect(incidentsIn([hour(1, 0), hour(2, 6), hour(3, 50), hour(4, 1)])).toEqual([
    { provider: 'alpha', from: '2026-11-20T02:00:00.000Z', to: '2026-11-20T04:00:00.000Z', uptime: 0.72 },
  ]);
});

test('an hour without failures, or without calls, separates two incidents; the newest is first', () => {
  const found = incidentsIn([hour(1, 50), hour(2, 0), hour(3, 50), hour(5, 50)]);
  expect(found.map(({ from }) => from.slice(11, 13))).toEqual(['05', '03', '01']);
});

test('one of twenty calls may fail, and a few calls are no incident', () => {
  expect(incidentsIn([hour(1, 5)])).toEqual([]);
  expect(incidentsIn([hour(1, 6)])).toHaveLength(1);
  expect(incidentsIn([hour(1, leastAttempts, { attempts: leastAttempts })])).toHaveLength(1);
  expect(incidentsIn([hour(1, 1, { attempts: leastAttempts })])).toEqual([]);
  expect(incidentsIn([hour(1, 2, { attempts: leastAttempts })])).toHaveLength(1);
  expect(incidentsIn([hour(1, leastAttempts - 1, { attempts: leastAttempts - 1 })])).toEqual([]);
});

test('offers have incidents of their own', () => {
  const found = incidentsIn([
    hour(1, 50),
    hour(2, 50, { provider: 'beta' }),
    hour(3, 50, { provider: 'beta', model: 'm' }),
  ]);
  expect(found.map(({ provider, model }) => [provider, model])).toEqual([
    ['beta', 'm'],
    ['beta', undefined],
    ['alpha', undefined],
  ]);
});
