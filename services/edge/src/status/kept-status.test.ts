import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { createKeptStatus, statusFreshMs } from './kept-status.ts';

function keptStatus() {
  const state = { now: Date.UTC(2026, 10, 23), reads: 0, failures: 0, away: false };
  const current = createKeptStatus(
    {
      ledger: {
        async providerUptimes() {
          state.reads += 1;
          if (state.away) throw new GatewayError('unavailable', 'away');
          return { providers: [], incidents: [] };
        },
      },
      chat: { availableProviders: async () => ({ providers: [] }) },
    },
    { onFailure: () => (state.failures += 1), now: () => state.now },
  );
  return { state, current };
}

test('the status is read once for half a minute, for any number of visitors', async () => {
  const { state, current } = keptStatus();
  await Promise.all(Array.from({ length: 1_000 }, current));
  state.now += statusFreshMs - 1;
  await current();
  expect(state.reads).toBe(1);
  state.now += 1;
  await Promise.all(Array.from({ length: 1_000 }, current));
  expect(state.reads).toBe(2);
});

test('a failure is kept for five seconds and reported once; the status before it is not used', async () => {
  const { state, current } = keptStatus();
  await current();
  state.now += statusFreshMs;
  state.away = true;
  const results = await Promise.allSettled(Array.from({ length: 1_000 }, current));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  state.away = false;
  state.now += 4_999;
  await expect(current()).rejects.toThrow('away');
  expect([state.reads, state.failures]).toEqual([2, 1]);
  state.now += 1;
  await current();
  expect([state.reads, state.failures]).toEqual([3, 1]);
});
