import { describe, expect, test } from 'vitest';
import { partOf } from '../../../../tests/support/scale.ts';
import { type ScriptedOffer, replay, shareOf } from '../testing/replay.ts';

const seeds = { one: 3 };

const good = () => 0.998;
const offer = (providerId: string, price: number, changes: Partial<ScriptedOffer> = {}): ScriptedOffer => ({
  providerId,
  price,
  latencyMs: 400,
  tokensPerSecond: 60,
  uptime: good,
  ...changes,
});
/** 0.8 between the given seconds, otherwise good. */
const unhealthyBetween = (from: number, to: number) => (second: number) =>
  second >= from && second < to ? 0.8 : 0.998;

const slices = (from: number, to: number, length: number): [number, number][] =>
  Array.from({ length: (to - from) / length }, (_, at) => [from + at * length, from + (at + 1) * length]);

describe.each(partOf([1, 2, 3], seeds))(
  '20,000 requests over three offers, the cheapest unhealthy for ten minutes (seed %d)',
  async (seed) => {
    const unhealthy = [500, 1_100] as const;
    const window = 300;
    const all = await replay({
      offers: [offer('cheap', 1, { uptime: unhealthyBetween(...unhealthy) }), offer('middle', 1.4), offer('dear', 2)],
      requests: 20_000,
      perSecond: 10,
      seed,
    });

    test('clients hardly notice', () => {
      expect(all.filter(({ ok }) => !ok).length / all.length).toBeLessThanOrEqual(0.001);
    });

    test('its traffic moves away within one window', () => {
      expect(shareOf(all, 'cheap', [200, 500])).toBeGreaterThan(0.95);
      expect(shareOf(all, 'cheap', [unhealthy[0] + window, unhealthy[1]])).toBeLessThanOrEqual(0.03);
    });

    test('its traffic returns within two windows of its recovery', () => {
      expect(shareOf(all, 'cheap', [unhealthy[1] + 2 * window, 2_000])).toBeGreaterThan(0.95);
    });

    test('after that its share stays within ten points', () => {
      for (const settled of [
        [100, 500],
        [unhealthy[0] + window, unhealthy[1]],
        [unhealthy[1] + 2 * window, 2_000],
      ] as const) {
        for (const provider of ['cheap', 'middle', 'dear']) {
          const whole = shareOf(all, provider, settled);
          for (const slice of slices(settled[0], settled[1], 50)) {
            expect(Math.abs(shareOf(all, provider, slice) - whole)).toBeLessThanOrEqual(0.1);
          }
        }
      }
    });
  },
);

test('equal offers do not alternate', async () => {
  const all = await replay({
    offers: [offer('a', 1), offer('b', 1), offer('c', 1)],
    requests: 5_000,
    perSecond: 10,
    seed: 7,
  });
  for (const slice of slices(50, 500, 50)) expect(shareOf(all, 'a', slice)).toBeGreaterThan(0.95);
});

test('a cold start is ordered by price, and by priority before price', async () => {
  const first = async (offers: ScriptedOffer[]) => {
    const [only] = await replay({ offers, requests: 1, perSecond: 10, seed: 3 });
    return only?.called[0];
  };
  expect(await first([offer('dear', 2), offer('cheap', 1)])).toBe('cheap');
  expect(await first([offer('dear', 2), offer('cheap', 1, { priority: 0.5 })])).toBe('dear');
});

test('an outage of 30 seconds costs at most fifteen slow requests', async () => {
  const down = (second: number) => (second >= 300 && second < 330 ? 0 : 0.998);
  for (const seed of partOf([1, 2, 3, 4, 5], { one: 5 })) {
    const all = await replay({
      offers: [offer('cheap', 1, { uptime: down }), offer('middle', 1.5, { uptime: () => 1 })],
      requests: 6_000,
      perSecond: 10,
      seed,
    });
    const inOutage = all.filter(({ second }) => second >= 300 && second < 330);
    expect(inOutage.filter(({ called }) => called.length > 1).length).toBeLessThanOrEqual(15);
    expect(inOutage.every(({ ok }) => ok)).toBe(true);
  }
});

test.each([
  [1, 0.04],
  [10, 0.01],
])('at %d requests a second an offer that goes on failing slows down few of them', async (perSecond, most) => {
  for (const seed of partOf([1, 2, 3], seeds)) {
    const all = await replay({
      offers: [offer('cheap', 1, { uptime: (second) => (second < 60 ? 1 : 0.85) }), offer('middle', 1.5)],
      requests: 1_800 * perSecond,
      perSecond,
      seed,
    });
    const slower = all.filter(({ called }) => called[0] === 'cheap' && called.length > 1);
    expect(slower.length / all.length).toBeLessThan(most);
  }
});

test('an offer that hangs costs one client in five minutes its time, once it is known', async () => {
  const [from, to] = [60, 3_600];
  const all = await replay({
    offers: [
      offer('cheap', 1, { uptime: (second) => (second < from ? 1 : 0), failsAfterMs: 60_000 }),
      offer('middle', 1.5, { uptime: () => 1 }),
    ],
    requests: to,
    perSecond: 1,
    seed: 1,
  });
  const known = all.filter(({ second }) => second > from + 120);
  expect(known.filter(({ called }) => called[0] === 'cheap').length).toBeLessThanOrEqual(12);
});

test('an offer that is asked every 20 seconds answers the first or second request after its repair', async () => {
  const [from, to] = [100, 400];
  const every = 20;
  const all = await replay({
    offers: [
      offer('cheap', 1, { uptime: (second) => (second >= from && second < to ? 0 : 1) }),
      offer('middle', 1.5, { uptime: () => 1 }),
    ],
    requests: 60,
    perSecond: 1 / every,
    seed: 2,
  });
  const [first, second, ...others] = all.filter((request) => request.second >= to).map(({ called }) => called[0]);
  expect([first, second]).toContain('cheap');
  expect(new Set(others)).toEqual(new Set(['cheap']));
});
