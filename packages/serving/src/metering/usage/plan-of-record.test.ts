import { mostPlannedOffers } from '@tallyport/contracts';
import { modelOf, offerOf } from '@tallyport/contracts/testing';
import type { Plan } from '@tallyport/dispatch';
import { expect, test } from 'vitest';
import { planOf } from './plan-of-record.ts';

const score = {
  total: 1.23456,
  factors: {
    price: { value: 0.000123456, ratio: 2, weight: 0.25 },
    uptime: { value: 0.98765, ratio: 1, weight: 0.75 },
  },
  penalty: 0.5,
  priority: 0,
};
const candidate = (name: string): Plan['candidates'][number] => ({
  offer: offerOf(name),
  reason: 'score',
  score,
  standing: {
    uptime: { ratio: 1, expected: 1, lower: 1, upper: 1, samples: 0 },
    latency: { mean: 0, samples: 0 },
    throughput: { mean: 0, samples: 0 },
    breaker: 'closed',
    cooldownMs: 0,
  },
});
const plan = (count: number, excluded: Plan['excluded'] = [], id = 'shared') => ({
  model: modelOf(id, []),
  candidates: Array.from({ length: count }, (_, at) => candidate(`p${at}`)),
  excluded,
  maxAttempts: 3,
});

test('has each offer with the factors of its score, and why others were left out', () => {
  const detail = `${'x'.repeat(499)}\u{1f600}`;
  const left = { offer: offerOf('late'), reason: 'unsupported', detail } as const;
  expect(planOf(plan(1, [left]))).toEqual({
    mostAttempts: 3,
    offers: [
      {
        provider: 'p0',
        reason: 'score',
        score: 1.235,
        uptimePenalty: 0.5,
        factors: {
          price: { value: 0.0001235, ratio: 2, weight: 0.25 },
          uptime: { value: 0.988, ratio: 1, weight: 0.75 },
        },
      },
      { provider: 'late', reason: 'unsupported', detail: `${'x'.repeat(499)}\ufffd` },
    ],
  });
});

test.each([
  ['one offer has no plan', 1, 0, undefined, undefined],
  ['at the bound', mostPlannedOffers - 1, 1, mostPlannedOffers, undefined],
  ['beyond the bound', mostPlannedOffers, 2, mostPlannedOffers, 2],
  ['far beyond the bound', mostPlannedOffers + 5, 1, mostPlannedOffers, 6],
])('has a bounded number of offers: %s', (_name, candidates, excluded, offers, more) => {
  const left = { offer: offerOf('late'), reason: 'no_access', detail: 'no key' } as const;
  const planned = planOf(
    plan(
      candidates,
      Array.from({ length: excluded }, () => left),
    ),
  );
  expect([planned?.offers.length, planned?.more]).toEqual([offers, more]);
});

test('names the model of each offer where several stand in for each other', () => {
  const standIns = [plan(1, [], 'second') as unknown as Plan];
  expect(planOf({ ...plan(1, [], 'first'), standIns })?.offers.map(({ provider, model }) => [provider, model])).toEqual(
    [
      ['p0', 'first'],
      ['p0', 'second'],
    ],
  );
});
