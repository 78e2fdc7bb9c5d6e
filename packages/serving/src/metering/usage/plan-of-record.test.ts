import { GatewayError, mostPlannedOffers } from '@tallyport/contracts';
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
  const detail = `${'x'.repeat(199)}\u{1f600}`;
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
      { provider: 'late', reason: 'unsupported', detail: `${'x'.repeat(199)}\ufffd` },
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

test('has the models of a request in the order of their turns, and those that cannot serve it', () => {
  const ill = plan(1, [], 'ill');
  const standIns = [plan(1, [], 'well') as unknown as Plan];
  const passedOver = [{ model: 'tiny', error: new GatewayError('context_length_exceeded', 'Too long.') }];
  const candidates = ill.candidates.map((each) => ({ ...each, reason: 'low_uptime' as const }));
  const offers = planOf({ ...ill, candidates, standIns, passedOver })?.offers;
  expect(offers?.map(({ provider, model, reason, detail }) => [provider, model, reason, detail])).toEqual([
    ['p0', 'well', 'score', undefined],
    ['p0', 'ill', 'low_uptime', undefined],
    ['', 'tiny', 'context_length_exceeded', 'Too long.'],
  ]);
});
