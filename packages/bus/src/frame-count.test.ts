import { expect, test } from 'vitest';
import { FrameCount } from './frame-count.ts';

test('a count is due 400 ms after the last report, and three times after the last frame', () => {
  const count = new FrameCount();
  expect([count.isOpen, count.isDue(1_000)]).toEqual([false, false]);
  count.sent();
  count.sent();
  expect([count.isOpen, count.isDue(1_000), count.report(1_000)]).toEqual([true, true, 2]);
  expect([count.isDue(1_399), count.isDue(1_400)]).toEqual([false, true]);
  count.report(1_400);
  count.report(1_800);
  expect([count.isOpen, count.isDue(9_000)]).toEqual([false, false]);
  count.sent();
  expect([count.isDue(9_000), count.report(9_000), count.isOpen]).toEqual([true, 3, true]);
});

test('a report that differs is a loss once; counting goes on from it', () => {
  const count = new FrameCount();
  expect([count.agrees(1), count.agrees(1)]).toEqual([false, true]);
  count.received();
  expect([count.agrees(2), count.agrees(5), count.agrees(5)]).toEqual([true, false, true]);
});

test('an older version, which does not count, is not a loss', () => {
  const count = new FrameCount();
  count.received();
  expect(count.agrees(0)).toBe(true);
});

test('counts beyond 32 bits are compared by their last 32', () => {
  const count = new FrameCount();
  count.agrees(2 ** 32 - 1);
  count.received();
  count.received();
  expect([count.agrees(0), count.agrees(1)]).toEqual([true, true]);
});
