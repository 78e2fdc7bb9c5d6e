import { expect, test } from 'vitest';
import { estimatedEnd } from './estimated-end.ts';

const at = (minutes: number): Date => new Date(Date.UTC(2026, 10, 28, 8, minutes));
const progress = { total: 100, startedAt: at(0), expiresAt: at(1_440) };

test('the rest takes as long for each line as those that have ended', () => {
  expect(estimatedEnd({ ...progress, ended: 25 }, at(10))).toEqual(at(40));
  expect(estimatedEnd({ ...progress, ended: 100 }, at(10))).toEqual(at(10));
});

test('there is no estimate before a line has ended', () => {
  expect(estimatedEnd({ ...progress, ended: 0 }, at(10))).toBeUndefined();
});

test('no batch lasts longer than until it expires', () => {
  expect(estimatedEnd({ ...progress, ended: 1 }, at(15))).toEqual(at(1_440));
  expect(estimatedEnd({ ...progress, ended: 1 }, at(14))).toEqual(at(1_400));
});
