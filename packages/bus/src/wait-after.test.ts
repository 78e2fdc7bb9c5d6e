import { expect, test } from 'vitest';
import { waitAfter } from './wait-after.ts';

test.each([
  { handledMs: 0, waitMs: 100 },
  { handledMs: 2, waitMs: 100 },
  { handledMs: 3, waitMs: 150 },
  { handledMs: 19, waitMs: 950 },
  { handledMs: 20, waitMs: 1_000 },
  { handledMs: 21, waitMs: 1_000 },
])('entries wait $waitMs ms after a batch of $handledMs ms', ({ handledMs, waitMs }) => {
  expect(waitAfter(handledMs, { gatherMs: 100, maxGatherMs: 1_000 })).toBe(waitMs);
});

test('without a maximum, entries always wait the same time', () => {
  expect(waitAfter(500, { gatherMs: 100 })).toBe(100);
  expect(waitAfter(500, {})).toBe(0);
});
