import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRecentMost } from './recent-most.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('the largest number counts for the time, and for less than twice as long', () => {
  const most = createRecentMost(100);
  expect(most.value()).toBe(0);
  vi.advanceTimersByTime(99);
  most.note(7);
  most.note(3);
  expect(most.value()).toBe(7);
  vi.advanceTimersByTime(100);
  expect(most.value()).toBe(7);
  most.note(2);
  vi.advanceTimersByTime(1);
  expect(most.value()).toBe(2);
  vi.advanceTimersByTime(200);
  expect(most.value()).toBe(0);
});
