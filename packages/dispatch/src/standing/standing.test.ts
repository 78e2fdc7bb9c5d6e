import { openMemoryStore } from '@tallyport/store';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { defaultRouting, halfLifeOf } from '../settings.ts';
import { offerOf } from '@tallyport/contracts/testing';
import { type Breakers, createBreakers, type Verdict } from './breakers.ts';
import { createHealth } from './health.ts';
import { shareHealth } from './share.ts';
import { createStandings } from './standings.ts';
import { uptimeOf } from './uptime.ts';

describe('uptime', () => {
  test.each([
    ['untried: presumed good, without a ratio', 0, 0, undefined, 0.97],
    ['one failure does not condemn it', 0, 1, 0, 0.92],
    ['two do', 0, 2, 0, 0.88],
    ['much data is believed', 8_000, 2_000, 0.8, 0.8],
    ['much good data too', 10_000, 0, 1, 1],
  ])('%s', (_name, good, bad, ratio, lower) => {
    const uptime = uptimeOf({ good, bad }, 30);
    expect(uptime.ratio).toBe(ratio);
    expect(uptime.lower).toBeCloseTo(lower, 2);
    expect(uptime.expected).toBeGreaterThanOrEqual(uptime.lower);
    expect(uptime.upper).toBeGreaterThanOrEqual(uptime.expected);
  });
});

describe('health', () => {
  let now = 0;
  const health = () => createHealth({ halfLifeMs: 1_000, now: () => now });
  beforeEach(() => void (now = 0));

  test('halves in a half-life, including later additions', () => {
    const one = health();
    one.record('o', { good: 8 });
    now = 500;
    one.record('o', { bad: 4 });
    now = 1_000;
    expect(one.tally('o').good).toBeCloseTo(4);
    expect(one.tally('o').bad).toBeCloseTo(4 * Math.SQRT1_2);
    now = 5_000;
    one.record('o', { good: 1 });
    expect(one.tally('o').good).toBeCloseTo(1 + 8 / 32);
  });

  test('ignores a clock that goes back', () => {
    const one = health();
    now = 1_000;
    one.record('o', { good: 8 });
    one.unshared();
    now = 0;
    expect(one.tally('o').good).toBeCloseTo(8);
  });

  test('stays finite if time passes while a sample is recorded', () => {
    let time = 0;
    const standstill = 5_000_000;
    const one = createHealth({ halfLifeMs: 1, now: () => (time += standstill) });
    for (let count = 0; count < 3; count += 1) one.record('o', { good: 1, latencyMs: 5 });
    const [sums = []] = one.unshared().values();
    expect(sums.map(Number.isFinite)).toEqual(sums.map(() => true));
    expect(sums).toHaveLength(6);
  });

  test('sums that could not be shared are shared again', () => {
    const one = health();
    one.record('o', { good: 1 });
    expect(one.unshared().get('o')?.[0]).toBe(1);
    one.confirm(undefined);
    one.record('o', { good: 1 });
    expect(one.tally('o').good).toBe(2);
    expect(one.unshared().get('o')?.[0]).toBe(2);
    one.confirm(new Map([['o', [5, 1]]]));
    expect(one.tally('o')).toMatchObject({ good: 5, bad: 1 });
    expect(one.unshared()).toEqual(new Map());
  });
});

test('a vendor’s token count is ignored beyond what an answer can have', () => {
  const standings = createStandings({ settings: defaultRouting, monotonic: () => 0 });
  const offer = offerOf('p');
  for (const tokens of [100_000_001, Number.MAX_VALUE, Infinity, Number.NaN, -5])
    standings.delivered(offer, tokens, 10);
  expect(standings.of(offer).throughput).toEqual({ mean: 0, samples: 0 });
  standings.delivered(offer, 100_000_000, 1_000);
  expect(standings.of(offer).throughput).toEqual({ mean: 100_000_000, samples: 1 });
  standings.close();
});

describe('shared health', () => {
  const halfLifeMs = halfLifeOf(defaultRouting);
  const replica = (store: Parameters<typeof shareHealth>[0]['store']) => {
    const standings = createStandings({ settings: defaultRouting });
    return {
      standings,
      share: shareHealth({ store, health: standings.health, halfLifeMs, everyMs: 60_000, replicas: () => 1 }),
    };
  };
  const offer = offerOf('p');

  test('three replicas agree after one round, and a new one starts with their sums', async () => {
    const store = openMemoryStore();
    const replicas = [replica(store), replica(store), replica(store)];
    for (const [at, { standings }] of replicas.entries()) {
      for (let count = 0; count < 100; count += 1) {
        if (count % 10 < at * 3) standings.failed(offer, { type: 'provider_overloaded' });
        else standings.answered(offer, 100);
      }
    }
    for (const { share } of replicas) await share.now();
    const late = replica(store);
    for (const { share } of [...replicas, late]) await share.now();
    const ratios = [...replicas, late].map(({ standings }) => standings.of(offer).uptime.ratio);
    for (const ratio of ratios) expect(ratio).toBeCloseTo(0.7, 3);
    await Promise.all([...replicas, late].map(({ share }) => share.stop()));
    await store.close();
  });

  test('without a store each replica uses its own observations', async () => {
    const { standings, share } = replica({ accumulate: async () => undefined });
    standings.answered(offer, undefined);
    await share.now();
    standings.failed(offer, { type: 'provider_timeout' });
    await share.now();
    expect(standings.of(offer).uptime).toMatchObject({ ratio: expect.closeTo(0.5, 4), samples: expect.closeTo(2, 2) });
    expect(standings.lastFault(offer)).toMatchObject({ type: 'provider_timeout' });
    await share.stop();
  });

  test.each([
    [1, 15],
    [200, 15],
    [300, 10],
    [3_000, 1],
  ])('each of %i replicas shares %i times in 15 seconds', async (replicas, rounds) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let calls = 0;
    const store = { accumulate: async () => ((calls += 1), new Map()) };
    const health = createHealth({ halfLifeMs, now: () => performance.now() });
    const share = shareHealth({ store, health, halfLifeMs, everyMs: 1_000, replicas: () => replicas });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(calls).toBe(rounds);
    await share.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toBe(rounds + 1);
  });
});

describe('breakers', () => {
  const settings = { ...defaultRouting.breaker, volume: 10 };
  let breakers: Breakers;
  let changes: string[];
  beforeEach(() => {
    vi.useFakeTimers();
    changes = [];
    breakers = createBreakers({ settings, onChange: (key, state) => void changes.push(`${key} ${state}`) });
  });
  afterEach(() => {
    breakers.close();
    vi.useRealTimers();
  });
  const unused = () => Promise.reject(new Error('called through an open breaker'));
  async function fail(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) await breakers.call('o', async () => 'failed');
  }
  async function succeed(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) await breakers.call('o', async () => 'succeeded');
  }

  test('stays closed after two consecutive failures and opens after three', async () => {
    await succeed(50);
    await fail(2);
    expect(breakers.state('o')).toBe('closed');
    await fail(1);
    expect(breakers.state('o')).toBe('open');
    expect(breakers.call('o', unused)).toBeUndefined();
  });

  test('opens above ten per cent of failures among enough calls, but not at ten', async () => {
    await succeed(17);
    await fail(1);
    await succeed(1);
    await fail(1);
    expect(breakers.state('o')).toBe('closed');
    await fail(1);
    expect(breakers.state('o')).toBe('open');
  });

  test('half open allows one call; its success closes the breaker, its failure opens it again', async () => {
    await fail(3);
    await vi.advanceTimersByTimeAsync(settings.resetMs);
    expect(breakers.state('o')).toBe('half_open');
    const probe = Promise.withResolvers<Verdict>();
    const probing = breakers.call('o', () => probe.promise);
    expect(breakers.call('o', unused)).toBeUndefined();
    probe.resolve('failed');
    await probing;
    expect(breakers.state('o')).toBe('open');
    await vi.advanceTimersByTimeAsync(settings.resetMs);
    await succeed(1);
    expect(breakers.state('o')).toBe('closed');
    expect(changes).toEqual(['o open', 'o half_open', 'o open', 'o half_open', 'o closed']);
  });

  test('a probe whose client left neither closes nor blocks the breaker', async () => {
    await fail(3);
    await vi.advanceTimersByTimeAsync(settings.resetMs);
    await breakers.call('o', async () => 'unknown');
    expect(breakers.state('o')).toBe('open');
    await vi.advanceTimersByTimeAsync(settings.resetMs);
    expect(breakers.call('o', async () => 'succeeded')).toBeDefined();
  });

  test('one call at a time passes an open breaker, and its success closes it', async () => {
    await fail(3);
    const only = Promise.withResolvers<Verdict>();
    const calling = breakers.callAnyway('o', () => only.promise);
    expect(breakers.callAnyway('o', unused)).toBeUndefined();
    only.resolve('failed');
    await calling;
    expect(breakers.state('o')).toBe('open');
    await breakers.callAnyway('o', async () => 'succeeded');
    expect(breakers.state('o')).toBe('closed');
  });

  test('idle breakers are retired, and the ticker stops with the last one', async () => {
    await succeed(1);
    expect(breakers.size()).toBe(1);
    await vi.advanceTimersByTimeAsync(settings.idleMs + settings.windowMs);
    expect(breakers.size()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a provider that sends Retry-After cools down, up to the maximum', () => {
  let now = 0;
  const standings = createStandings({ settings: defaultRouting, monotonic: () => now });
  const offer = offerOf('p');
  standings.failed(offer, { type: 'provider_rate_limited', retryAfterMs: 2_000 });
  expect(standings.of(offer).cooldownMs).toBe(2_000);
  now = 2_000;
  expect(standings.of(offer).cooldownMs).toBe(0);
  standings.failed(offer, { type: 'provider_rate_limited', retryAfterMs: 86_400_000 });
  expect(standings.of(offer).cooldownMs).toBe(defaultRouting.maxCooldownMs);
  standings.close();
});

test('a stream that broke after its first content counts as a failure', () => {
  const standings = createStandings({ settings: defaultRouting, monotonic: () => 0 });
  const offer = offerOf('p');
  standings.answered(offer, 300);
  standings.brokeOff(offer, 'provider_truncated');
  expect(standings.of(offer).uptime).toMatchObject({ ratio: 0, samples: 1 });
  standings.close();
});
