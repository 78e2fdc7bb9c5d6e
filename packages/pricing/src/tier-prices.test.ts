import { noTokens, type Tokens } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import type { ChatRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { withCost } from './cost.ts';
import { estimateChat, estimateUsage, highestCost } from './estimates.ts';
import { largerUsage } from './larger-usage.ts';
import { moneyText } from './money.ts';
import { price } from './price.ts';
import { soundUsage } from './sound-usage.ts';

const pricing = { prompt: '0.000002', completion: '0.00001', input_cache_read: '0.0000002', request: '0.005' };
const priceTiers = [{ overInputTokens: 1000, pricing: { prompt: '0.000004' } }];
const tiers = {
  flex: { factor: '0.5' },
  priority: { factor: '2' },
  ultrafast: { factor: '6', pricing: { completion: '0.00009' } },
};
const offer = offerOf('a', { pricing, priceTiers, tiers });

const priceIn = (tier: string | undefined, used: Partial<Tokens>) => {
  const { cost, unpriced } = price(offer, { tokens: { ...noTokens, ...used }, images: 0, tier });
  return [cost === undefined ? null : moneyText(cost), ...unpriced];
};

test.each<[string, string | undefined, Partial<Tokens>, string]>([
  ['the standard tier', undefined, { input: 1000 }, '0.007'],
  ['half', 'flex', { input: 1000 }, '0.006'],
  ['twice the price', 'priority', { input: 1000 }, '0.009'],
  ['every class', 'priority', { input: 100, cacheRead: 100, output: 10 }, '0.00564'],
  ['long prompts', 'priority', { input: 1001 }, '0.013008'],
  ['the price of a class that differs', 'ultrafast', { input: 100, output: 10 }, '0.0071'],
])('a tier has its own prices: %s', (_name, tier, used, cost) => {
  expect(priceIn(tier, used)).toEqual([cost]);
});

test.each(['scale', 'constructor'])('a tier without prices costs the standard ones, and is named: %s', (tier) => {
  expect(priceIn(tier, { input: 1000 })).toEqual(['0.007', `service_tier:${tier}`]);
});

test('a cost that the vendor reports is that of its tier', () => {
  expect(price(offer, { tokens: noTokens, images: 0, tier: 'scale', vendorCost: 0.5 })).toMatchObject({
    costs: [{ of: 'vendor' }],
    unpriced: [],
  });
});

test('prompt caching saves at the prices of the tier', () => {
  const savings = [undefined, 'priority'].map((tier) =>
    moneyText(price(offer, { tokens: { ...noTokens, cacheRead: 100 }, images: 0, tier }).promptCacheSavings),
  );
  expect(savings).toEqual(['0.00018', '0.00036']);
});

describe('a reservation', () => {
  const request = (service_tier?: string | null): ChatRequest => ({
    model: 'm',
    messages: [{ role: 'user', content: 'abcd' }],
    max_tokens: 100,
    ...(service_tier !== undefined && { service_tier }),
  });
  const reserved = (tier?: string | null, changes = offer) =>
    moneyText(highestCost([changes], estimateChat(request(tier))));

  test.each<[string, string | null | undefined, string]>([
    ['nothing is asked', undefined, '0.006002'],
    ['the tier is null', null, '0.006002'],
    ['the standard tier is asked', 'default', '0.006002'],
    ['a tier is asked', 'priority', '0.007004'],
    ['a cheaper tier is asked', 'flex', '0.005501'],
    ['a tier without prices is asked', 'scale', '0.006002'],
    ['the vendor chooses', 'auto', '0.014012'],
  ])('is at the prices of the tier if %s', (_name, tier, cost) => {
    expect(reserved(tier)).toBe(cost);
  });

  test('where the vendor chooses is at the standard price if no tier costs more', () => {
    expect(reserved('auto', offerOf('a', { pricing, tiers: { flex: { factor: '0.5' } } }))).toBe('0.006002');
    expect(reserved('auto', offerOf('a', { pricing }))).toBe('0.006002');
  });

  test.each([
    ['priority', 'fast'],
    ['fast', 'priority'],
  ])('is at the prices of the tier that the vendor has for %s: %s', (asked, named) => {
    const other = offerOf('a', { pricing, tiers: { batch: { factor: '0.5' }, [named]: { factor: '2' } } });
    expect(reserved(asked, other)).toBe('0.007004');
    expect(estimateUsage(request(asked), { bytes: 4, images: 0 }, other).service_tier).toBe(named);
  });

  const estimated = (asked: string | undefined, tier?: string) =>
    estimateUsage(request(asked), { bytes: 4, images: 0, tier }, offer).service_tier;

  test('an estimate has the tier that the vendor named, or else the one that was asked', () => {
    expect([
      estimated(undefined),
      estimated('priority'),
      estimated('priority', 'default'),
      estimated('priority', 'flex'),
      estimated('auto'),
      estimated('scale'),
      estimated(undefined, 'scale'),
    ]).toEqual([undefined, 'priority', undefined, 'flex', undefined, undefined, 'scale']);
  });
});

test('a client gets the cost of the tier, but not its name in the usage', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, service_tier: 'priority' };
  const { service_tier: _tier, ...counts } = usage;
  const details = { prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } };
  expect(withCost(usage, offer)).toEqual({ ...counts, ...details, cost: 0.0056 });
});

test('usage that is bounded or estimated keeps its tier', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 1_000, total_tokens: 1_100, service_tier: 'flex' };
  const bounds = { prompt: 1_000, completion: 10 };
  expect(soundUsage(usage, bounds, 1)).toMatchObject({ adjusted: true, usage: { service_tier: 'flex' } });
  const counted = { prompt_tokens: 200, completion_tokens: 1, total_tokens: 201, service_tier: 'priority' };
  expect(largerUsage(usage, counted, offer)).toMatchObject({ prompt_tokens: 200, service_tier: 'flex' });
});
