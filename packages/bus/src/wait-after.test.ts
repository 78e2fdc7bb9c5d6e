import { expect, test } from 'vitest';
import { waitAfter } from './wait-after.ts';

test.each([
  { handledMs: 0, waitMs: 100 },
  { handledMs: 5, waitMs: 100 },
  { handledMs: 6, waitMs: 120 },
  { handledMs: 49, waitMs: 980 },
  { handledMs: 50, waitMs: 1_000 },
  { handledMs: 51, waitMs: 1_000 },
])('entries wait $waitMs ms after a batch of $handledMs ms', ({ handledMs, waitMs }) => {
  expect(waitAfter(handledMs, { gatherMs: 100, maxGatherMs: 1_000 })).toBe(waitMs);
});

test('without a maximum, entries always wait the same time', () => {
  expect(waitAfter(500, { gatherMs: 100 })).toBe(100);
  expect(waitAfter(500, {})).toBe(0);
});
