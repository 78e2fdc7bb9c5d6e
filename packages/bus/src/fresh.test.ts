import { expect, test } from 'vitest';
import { isFresh } from './fresh.ts';

test.each([
  ['as old as the shortest wait of a requester', { sentAt: 9_000, timeoutMs: 5_000 }, true],
  ['older than that', { sentAt: 8_999, timeoutMs: 5_000 }, false],
  ['from a clock that is ahead by that much', { sentAt: 11_000, timeoutMs: 5_000 }, true],
  ['from a clock that is ahead by more', { sentAt: 11_001, timeoutMs: 5_000 }, false],
  ['at its deadline', { sentAt: 9_800, timeoutMs: 200 }, true],
  ['beyond its deadline', { sentAt: 9_799, timeoutMs: 200 }, false],
  ['from a version that sends no timestamp', { timeoutMs: 200 }, true],
])('a request %s', (_which, head, fresh) => {
  expect(isFresh(head, 10_000)).toBe(fresh);
});
