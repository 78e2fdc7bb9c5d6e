import { GatewayError } from '@tallyport/contracts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { ProviderPreferences } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';
import { standingOf } from '../testing/standings.ts';
import { indexCatalogue } from './model-index.ts';
import { planChat, type PlanGround } from './plan.ts';

const measured = (changes: Partial<Standing>): Standing => ({ ...standingOf(), ...changes });
const mean = (value: number) => ({ mean: value, samples: 50 });
const priced = (prompt: string, completion: string) => ({ pricing: { prompt, completion } });

/** Fast and dear, cheap and slow, and one between them. */
const offers = {
  fast: offerOf('fast', priced('0.000004', '0.000008')),
  cheap: offerOf('cheap', priced('0.000001', '0.000002')),
  middle: offerOf('middle', priced('0.000002', '0.000004')),
};
const standings: Record<string, Partial<Standing>> = {
  fast: { throughput: mean(200), latency: mean(200) },
  cheap: { throughput: mean(20), latency: mean(3_000) },
  middle: { throughput: mean(60), latency: mean(900) },
};

const groundWith = (changes: Record<string, Partial<Standing>> = {}): PlanGround => ({
  index: indexCatalogue(catalogueOf(modelOf('swift', Object.values(offers)))),
  obstacle: () => undefined,
  standing: ({ providerId }) => measured({ ...standings[providerId], ...changes[providerId] }),
  settings: defaultRouting,
  maxAttempts: 3,
  random: 0,
  now: 0,
});
const plan = (preferences: ProviderPreferences, ground = groundWith()) =>
  planChat({ model: 'swift', needs: [], fallback: undefined, preferences }, ground);
const order = (preferences: ProviderPreferences, ground = groundWith()) =>
  plan(preferences, ground).candidates.map(({ offer, reason }) => `${offer.providerId} ${reason}`);

describe('what a request prefers', () => {
  test.each<[string, ProviderPreferences, string[]]>([
    ['the cheapest', { sort: 'price' }, ['cheap score', 'middle score', 'fast score']],
    ['the fastest', { sort: 'throughput' }, ['fast score', 'middle score', 'cheap score']],
    ['the soonest, also without a stream', { sort: 'latency' }, ['fast score', 'middle score', 'cheap score']],
    ['the same as an object', { sort: { by: 'price' } }, ['cheap score', 'middle score', 'fast score']],
    ['an order', { order: ['middle', 'cheap'], sort: 'price' }, ['middle preferred', 'cheap preferred', 'fast score']],
    ['only some', { only: ['middle'] }, ['middle score']],
    ['none of some', { ignore: ['middle', 'fast'] }, ['cheap score']],
    ['none beside an order', { order: ['fast'], allow_fallbacks: false }, ['fast preferred']],
    ['a price of the answer', { max_price: { completion: 4 }, sort: 'price' }, ['cheap score', 'middle score']],
    ['a speed', { preferred_min_throughput: 50, sort: 'price' }, ['middle score', 'fast score', 'cheap slow']],
    ['a latency', { preferred_max_latency: 1, sort: 'price' }, ['middle score', 'fast score', 'cheap slow']],
  ])('%s', (_name, preferences, expected) => expect(order(preferences)).toEqual(expected));

  test('never puts a failing offer first', () => {
    const ground = groundWith({ cheap: { breaker: 'open' } });
    expect(order({ sort: 'price' }, ground)).toEqual(['middle score', 'fast score', 'cheap breaker_open']);
    expect(order({ order: ['cheap'] }, ground).at(-1)).toBe('cheap breaker_open');
  });

  test('does not move an offer of which no speed is known', () => {
    const ground = groundWith({ cheap: { throughput: { mean: 0, samples: 0 } } });
    expect(order({ preferred_min_throughput: 50, sort: 'price' }, ground)[0]).toBe('cheap score');
  });

  test('allows one attempt without an order', () => {
    expect([plan({ allow_fallbacks: false }).maxAttempts, plan({}).maxAttempts]).toEqual([1, 3]);
  });

  test('comes before the offer that has the prompt cached', () => {
    const question = { model: 'swift', needs: [], fallback: undefined, cachedAt: 'fast/m' };
    const [first] = planChat({ ...question, preferences: { sort: 'price' } }, groundWith()).candidates;
    expect(first?.offer.providerId).toBe('cheap');
  });
});

test('an offer that is left out names the member', () => {
  const { excluded } = plan({ only: ['fast', 'middle'], ignore: ['fast'], max_price: { prompt: 2 } });
  expect(excluded.map(({ offer, reason, detail }) => [offer.providerId, reason, detail])).toEqual([
    ['fast', 'not_preferred', 'provider.ignore'],
    ['cheap', 'not_preferred', 'provider.only'],
  ]);
});

test('if no offer is left, the error names all', () => {
  const run = () => plan({ ignore: ['cheap'], max_price: { prompt: 1.5 } });
  expect(run).toThrow(GatewayError);
  expect(run).toThrow(
    "No offer of 'swift' meets the preferences of the request: fast (provider.max_price.prompt: 4 > 1.5), cheap (provider.ignore), middle (provider.max_price.prompt: 2 > 1.5).",
  );
});
