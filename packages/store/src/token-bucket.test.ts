import { expect, test } from 'vitest';
import { msUntilFull, takeFrom } from './token-bucket.ts';

const rule = { capacity: 10, refillPerSecond: 2, cost: 4 };

test.each([
  ['a new bucket is full', undefined, 0, { allowed: true, remaining: 6, retryAfterMs: 0 }],
  ['time refills', { tokens: 0, atMs: 0 }, 2_500, { allowed: true, remaining: 1, retryAfterMs: 0 }],
  ['exactly enough is enough', { tokens: 0, atMs: 0 }, 2_000, { allowed: true, remaining: 0, retryAfterMs: 0 }],
  ['a millisecond too early is not', { tokens: 0, atMs: 0 }, 1_999, { allowed: false, remaining: 3, retryAfterMs: 1 }],
  ['nothing is refilled beyond full', { tokens: 9, atMs: 0 }, 1e9, { allowed: true, remaining: 6, retryAfterMs: 0 }],
  [
    'a clock that went back refills nothing',
    { tokens: 3, atMs: 1e6 },
    0,
    { allowed: false, remaining: 3, retryAfterMs: 500 },
  ],
])('%s', (_, bucket, nowMs, taken) => {
  expect(takeFrom(bucket, rule, nowMs)).toEqual({ bucket: { tokens: expect.any(Number), atMs: nowMs }, taken });
});

test('waiting for `retryAfterMs` is always enough', () => {
  for (const refillPerSecond of [0.1, 1 / 3, 0.7, 3, 33.3, 1_000 / 7]) {
    const odd = { capacity: 10, refillPerSecond, cost: 7 };
    const empty = { tokens: 0.1 + 0.2, atMs: 1e12 };
    const { taken } = takeFrom(empty, odd, 1e12);
    expect(takeFrom(empty, odd, 1e12 + taken.retryAfterMs).taken.allowed).toBe(true);
  }
});

test('is full again after `msUntilFull`', () => {
  const { bucket } = takeFrom(undefined, rule, 0);
  expect(msUntilFull(bucket, rule)).toBe(2_000);
  expect(takeFrom(bucket, { ...rule, cost: 0 }, 2_000).bucket.tokens).toBe(10);
});
