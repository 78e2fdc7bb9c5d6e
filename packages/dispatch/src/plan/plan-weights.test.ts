import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import type { ScoreWeights } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { standingOf } from '../testing/standings.ts';
import { indexCatalogue } from './model-index.ts';
import { type PlanGround, type PlanQuestion, planChat } from './plan.ts';
import { planImage } from './plan-image.ts';

const mean = (value: number) => ({ mean: value, samples: 1_000 });
/** One is fast, one cheap, and one soon. */
const offers = [
  offerOf('fast', { pricing: { prompt: '0.000004', completion: '0.000004', image: '0.04' } }),
  offerOf('cheap', { pricing: { prompt: '0.000001', completion: '0.000001', image: '0.01' } }),
  offerOf('soon', { pricing: { prompt: '0.000004', completion: '0.000004', image: '0.04' } }),
];
const standings: Record<string, object> = {
  fast: { throughput: mean(200), latency: mean(2_000) },
  cheap: { throughput: mean(20), latency: mean(2_000) },
  soon: { throughput: mean(20), latency: mean(200) },
};
const ground: PlanGround = {
  index: indexCatalogue(catalogueOf(modelOf('swift', offers, { outputModalities: ['text', 'image'] }))),
  obstacle: () => undefined,
  standing: ({ providerId }) => ({ ...standingOf(), ...standings[providerId] }),
  settings: defaultRouting,
  maxAttempts: 3,
  random: 1,
  now: 0,
};
const only = (weights: Partial<ScoreWeights>): ScoreWeights => ({
  uptime: 0,
  throughput: 0,
  price: 0,
  latency: 0,
  ...weights,
});
const principal = (scoreWeights?: ScoreWeights) => ({
  accountId: 'a',
  keyId: 'k',
  ...(scoreWeights && { scoreWeights }),
});
const plan = (question: Partial<PlanQuestion>) =>
  planChat({ model: 'swift', needs: [], fallback: undefined, streaming: true, ...question }, ground);
const firstOf = (question: Partial<PlanQuestion>) => plan(question).candidates[0]?.offer.providerId;

describe('the weights of an account', () => {
  test.each<[keyof ScoreWeights, number, string]>([
    ['throughput', 1_000, 'fast'],
    ['price', 0.001, 'cheap'],
    ['latency', 1, 'soon'],
  ])('decide by the %s with %s', (factor, weight, first) => {
    const scoreWeights = only({ [factor]: weight });
    const { candidates, weights } = plan({ principal: principal(scoreWeights) });
    expect(weights).toEqual({ from: 'account', values: scoreWeights });
    const [best] = candidates;
    expect([best?.offer.providerId, best?.score.total]).toEqual([first, 1]);
    expect(best?.score.factors).toEqual({ [factor]: { value: expect.any(Number), ratio: 1, weight: 1 } });
  });

  test('count by their ratios', () => {
    const scoreOf = (uptime: number, price: number) =>
      plan({ principal: principal(only({ uptime, price })) }).candidates.map(({ score }) => score.total);
    expect(scoreOf(300, 100)).toEqual(scoreOf(0.75, 0.25));
  });

  test('of which no factor is known leave the order to the catalogue', () => {
    const account = principal(only({ latency: 1 }));
    const { candidates } = plan({ principal: account, streaming: false });
    expect(candidates.map(({ offer, score }) => [offer.providerId, score.total])).toEqual([
      ['fast', 0],
      ['cheap', 0],
      ['soon', 0],
    ]);
  });

  test('keep an offer that fails behind the healthy ones', () => {
    const failing: PlanGround = {
      ...ground,
      standing: (offer) => ({ ...ground.standing(offer), ...(offer.providerId === 'cheap' && { breaker: 'open' }) }),
    };
    const question = { model: 'swift', needs: [], fallback: undefined, principal: principal(only({ price: 1 })) };
    expect(planChat(question, failing).candidates.map(({ offer }) => offer.providerId)).toEqual([
      'fast',
      'soon',
      'cheap',
    ]);
  });

  test('give way to what a request is sorted by', () => {
    const question = { principal: principal(only({ price: 1 })), preferences: { sort: 'throughput' as const } };
    expect(firstOf(question)).toBe('fast');
    expect(plan(question).weights).toEqual({ from: 'request', values: only({ throughput: 1 }) });
    expect(plan({ ...question, preferences: { order: ['soon'] } }).weights.from).toBe('account');
  });

  test('hold for images as they are, where the price of the operator weighs more', () => {
    const weightsFor = (scoreWeights?: ScoreWeights) => {
      const question = { model: 'swift', editing: false, fallback: undefined, principal: principal(scoreWeights) };
      return planImage(question, ground).weights;
    };
    const own = only({ uptime: 1, price: 0.1 });
    expect(weightsFor(own)).toEqual({ from: 'account', values: own });
    const { weights, imagePriceWeight } = defaultRouting;
    expect(weightsFor()).toEqual({ from: 'operator', values: { ...weights, price: imagePriceWeight } });
  });
});
