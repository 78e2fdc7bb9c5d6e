import { expect, test } from 'vitest';
import { createTokenCache, type Token } from './token-cache.ts';

/** A vendor whose tokens last 1000 ms, and a clock that the test sets. */
function desk() {
  const state = { time: 0, asked: 0, broken: false };
  const make = async (): Promise<Token> => {
    state.asked += 1;
    const value = `token-${state.asked}`;
    await Promise.resolve();
    if (state.broken) throw new Error('No token today.');
    return { value, expiresAt: state.time + 1_000 };
  };
  const token = createTokenCache(make, { now: () => state.time, marginMs: 100, failureMs: 50 });
  return { state, token: () => token(undefined) };
}

test('makes one token, however many requests wait for it', async () => {
  const { state, token } = desk();
  expect(await Promise.all([token(), token(), token()])).toEqual(['token-1', 'token-1', 'token-1']);
  expect(state.asked).toBe(1);
});

test('keeps it until shortly before it expires', async () => {
  const { state, token } = desk();
  await token();
  state.time = 899;
  expect(await token()).toBe('token-1');
  state.time = 900;
  expect(await token()).toBe('token-2');
});

test('while no new one is issued, uses the old one until it expires', async () => {
  const { state, token } = desk();
  await token();
  state.broken = true;
  state.time = 950;
  expect(await token()).toBe('token-1');
  expect(await token()).toBe('token-1');
  expect(state.asked).toBe(2);
  state.time = 1_000;
  await expect(token()).rejects.toThrow('No token today.');
});

test('a failure is shared by all waiting requests and not retried for a while', async () => {
  const { state, token } = desk();
  state.broken = true;
  await Promise.all([expect(token()).rejects.toThrow(), expect(token()).rejects.toThrow()]);
  state.time = 49;
  await expect(token()).rejects.toThrow('No token today.');
  expect(state.asked).toBe(1);
  state.broken = false;
  state.time = 50;
  expect(await token()).toBe('token-2');
});
