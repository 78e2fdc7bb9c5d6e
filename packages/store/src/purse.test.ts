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

test('a hold that is not set again, and what is reserved of it, expire like reservations', () => {
  const purse: Purse = new Map();
  const look = (nowMs: number) => stepPurse(purse, { kind: 'reserve', amount: 0, limit: 0, ttlMs: 1 }, nowMs).held;
  stepPurse(purse, { kind: 'know', before: 0, from: 0, hours: [] }, 0);
  stepPurse(purse, { kind: 'hold', id: 'a', amount: 7, limit: 10, ttlMs: 2 * minute }, 0);
  stepPurse(purse, { kind: 'reserve', amount: 3, limit: 10, ttlMs: minute, hold: 'a' }, 0);
  expect([minute, 2 * minute, 2 * minute + 30_000].map(look)).toEqual([7, 7, 0]);
  expect([...purse.keys()].filter((name) => /^[ekw]/.test(name))).toEqual([]);
});

test('a settlement can be repeated for an hour', () => {
  const purse: Purse = new Map();
  const settle = (nowMs: number) =>
    stepPurse(purse, { kind: 'settle', id: 'a', slot: 0, reserved: 0, spent: 1, hour: 7 }, nowMs).spent;
  const look = (nowMs: number) => stepPurse(purse, { kind: 'know', before: 0, from: 0, hours: [] }, nowMs);
  expect([settle(0), settle(minute)]).toEqual([1, 1]);
  look(61 * minute - 1);
  expect(settle(61 * minute - 1)).toBe(1);
  look(121 * minute);
  expect([...purse.keys()].filter((name) => name.startsWith('d'))).toEqual([]);
  expect(settle(121 * minute)).toBe(2);
});
