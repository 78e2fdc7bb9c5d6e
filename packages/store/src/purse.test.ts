import { expect, test } from 'vitest';
import { type Purse, stepPurse } from './purse.ts';

const minute = 60_000;

test('an unsettled reservation expires at its time or up to half a minute later, never earlier', () => {
  const purse: Purse = new Map();
  const look = (nowMs: number) => stepPurse(purse, { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 }, nowMs).held;
  const from = 10 * minute + 59_999;
  stepPurse(purse, { kind: 'know', before: 0, from: 0, hours: [] }, from);
  stepPurse(purse, { kind: 'reserve', amount: 7, limit: 10, ttlMs: minute }, from);
  expect([from, from + minute, from + minute + 30_000].map(look)).toEqual([7, 7, 0]);
});
