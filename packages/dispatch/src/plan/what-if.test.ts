import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { seen, standingsOf } from '../testing/standings.ts';
import { indexCatalogue } from './model-index.ts';
import { planChat } from './plan.ts';
import type { WhatIf } from './what-if.ts';

const priced = (price: string) => ({ pricing: { prompt: price, completion: price } });
const index = indexCatalogue(
  catalogueOf(modelOf('swift', [offerOf('north', priced('0.000002')), offerOf('south', priced('0.000003'))])),
);
const known = { ...seen(1), throughput: { mean: 50, samples: 1_000 }, latency: { mean: 200, samples: 1_000 } };

function planWith(whatIfs: Readonly<Record<string, WhatIf>>, standings = { north: known, south: known }) {
  const ground = {
    index,
    maxAttempts: 3,
    now: 0,
    random: 1,
    settings: defaultRouting,
    standing: standingsOf(standings),
    obstacle: () => undefined,
    whatIfs: new Map(Object.entries(whatIfs)),
  };
  const plan = planChat({ model: 'swift', needs: [], fallback: undefined, streaming: true }, ground);
  return plan.candidates.map(({ offer, reason, score }) => ({ provider: offer.providerId, reason, ...score }));
}

const order = (...plan: Parameters<typeof planWith>) =>
  planWith(...plan).map(({ provider, reason }) => `${provider} ${reason}`);

test('without an assumption about its provider, nothing changes for an offer', () => {
  expect(order({})).toEqual(['north score', 'south score']);
  expect(planWith({ elsewhere: { uptime: 0, price: 9, slowness: 9 } })).toEqual(planWith({}));
});

test('an ill provider is behind the others, and a healthy one loses its breaker and pause', () => {
  expect(order({ north: { uptime: 0.5 } })).toEqual(['south score', 'north low_uptime']);
  const broken = { ...known, ...seen(0.2), breaker: 'open', cooldownMs: 1_000 } as const;
  const standings = { north: broken, south: known };
  expect(order({}, standings)).toEqual(['south score', 'north breaker_open']);
  expect(order({ north: { uptime: 1 } }, standings)).toEqual(['north score', 'south score']);
});

test('an assumed uptime ends a recovery', () => {
  const recovery = { state: 'away', trialInMs: 1_000, mayTry: false } as const;
  const standings = { north: { ...known, recovery }, south: known };
  expect(order({}, standings)).toEqual(['south score', 'north recovering']);
  expect(order({ north: { uptime: 0.94 } }, standings)).toEqual(['north score', 'south score']);
});

test('a dearer provider is scored with the price assumed', () => {
  const [first, second] = planWith({ north: { price: 3 } });
  expect([first?.provider, second?.provider]).toEqual(['south', 'north']);
  expect([first?.factors.price?.ratio, second?.factors.price?.ratio]).toEqual([1, 2]);
});

test('a slower provider has a longer latency and a lower throughput', () => {
  const [first, second] = planWith({ north: { slowness: 4 } });
  expect([first?.provider, second?.provider]).toEqual(['south', 'north']);
  expect(second?.factors.latency).toMatchObject({ value: 800, ratio: 4 });
  expect(second?.factors.throughput).toMatchObject({ value: 12.5, ratio: 4 });
});
