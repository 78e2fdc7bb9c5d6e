import { costClasses, noTokens, tokenClasses, type TokenClass, type Tokens } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOfImages, withCost } from './cost.ts';
import { moneyText, readMoney } from './money.ts';
import { isAbsurdCost, isOffCatalogue, price } from './price.ts';
import { tokensOfChat } from './tokens.ts';

const pricing = {
  prompt: '0.000003',
  completion: '0.000015',
  input_cache_read: '0.0000003',
  input_cache_write: '0.00000375',
};
const offer = offerOf('a', { pricing });

const priceOf = (used: Partial<Parameters<typeof price>[1]>, changes = offer) => {
  const { cost, costs } = price(changes, { tokens: noTokens, images: 0, ...used });
  return {
    cost: cost === undefined ? null : moneyText(cost),
    costs: Object.fromEntries(costs.map(({ of, cost: each }) => [of, moneyText(each)])),
  };
};
const tokens = (some: Partial<Tokens>): Tokens => ({ ...noTokens, ...some });

describe('a chat', () => {
  test('is charged per class, each once', () => {
    const used = tokens({ input: 100, cacheRead: 1000, cacheWrite: 200, output: 50, reasoning: 30, imageIn: 7 });
    expect(priceOf({ tokens: used })).toEqual({
      cost: '0.002571',
      costs: {
        input: '0.0003',
        cacheRead: '0.0003',
        cacheWrite: '0.00075',
        output: '0.00075',
        reasoning: '0.00045',
        imageIn: '0.000021',
      },
    });
  });

  test('is charged the prompt price for cached tokens without their own price', () => {
    const plain = offerOf('a', { pricing: { prompt: '0.000002', completion: '0.00001' } });
    expect(priceOf({ tokens: tokens({ cacheRead: 10, cacheWrite: 10 }) }, plain).cost).toBe('0.00004');
  });

  const savingsOf = (used: Partial<Parameters<typeof price>[1]>, changes = offer): string =>
    moneyText(price(changes, { tokens: noTokens, images: 0, ...used }).promptCacheSavings);

  test('saves what cached tokens would have cost more as input', () => {
    expect(savingsOf({ tokens: tokens({ input: 100, cacheRead: 1000, cacheWrite: 200, output: 50 }) })).toBe('0.0027');
    expect(savingsOf({ tokens: tokens({ input: 100, cacheWrite: 200 }) })).toBe('0');
  });

  test('has the surcharge of writing to the cache, which is 0 where writing costs no more than input', () => {
    const surchargeOf = (cacheWrite: number, changes = offer) =>
      moneyText(price(changes, { tokens: tokens({ input: 100, cacheWrite }), images: 0 }).promptCacheSurcharge);
    expect([surchargeOf(200), surchargeOf(0)]).toEqual(['0.00015', '0']);
    expect(surchargeOf(200, offerOf('a', { pricing: { ...pricing, input_cache_write: '0.000003' } }))).toBe('0');
    const unknown = offerOf('a', { pricing: { input_cache_write: '0.000003' } });
    expect(surchargeOf(200, unknown)).toBe('0');
  });

  test('saves at the prices of its tier', () => {
    const priceTiers = [{ overInputTokens: 1000, pricing: { prompt: '0.000006', input_cache_read: '0.0000006' } }];
    const savings = [1000, 1001].map((cacheRead) =>
      savingsOf({ tokens: tokens({ cacheRead }) }, offerOf('a', { pricing, priceTiers })),
    );
    expect(savings).toEqual(['0.0027', '0.0054054']);
  });

  test.each([
    ['cached tokens have no price of their own', { pricing: { prompt: '0.000002' } }, {}],
    ['cached tokens are not cheaper', { pricing: { prompt: '0.000002', input_cache_read: '0.000003' } }, {}],
    ['input has no price', { pricing: { input_cache_read: '0.000003' } }, {}],
    ['the vendor reports the cost', { pricing }, { vendorCost: 0.01 }],
  ])('has no known savings if %s', (_name, changes, used) => {
    expect(savingsOf({ tokens: tokens({ cacheRead: 1000 }), ...used }, offerOf('a', changes))).toBe('0');
  });

  test('is charged for thinking and per request if these have prices', () => {
    const pricing2 = { ...pricing, internal_reasoning: '0.00002', request: '0.005' };
    expect(priceOf({ tokens: tokens({ reasoning: 10 }) }, offerOf('a', { pricing: pricing2 }))).toEqual({
      cost: '0.0052',
      costs: { request: '0.005', reasoning: '0.0002' },
    });
  });

  test('is charged the higher tier from one token above its limit', () => {
    const tiered = offerOf('a', {
      pricing,
      priceTiers: [
        { overInputTokens: 1000, pricing: { prompt: '0.000006' } },
        { overInputTokens: 2000, pricing: { prompt: '0.000012' } },
      ],
    });
    const costs = [1000, 1001, 2001].map((input) => priceOf({ tokens: tokens({ input }) }, tiered).cost);
    expect(costs).toEqual(['0.003', '0.006006', '0.024012']);
  });

  test('has an unknown cost if a price is missing for something used', () => {
    expect(priceOf({ tokens: tokens({ output: 1 }) }, offerOf('a'))).toEqual({ cost: null, costs: {} });
    const half = offerOf('a', { pricing: { prompt: '0.000001' } });
    expect(priceOf({ tokens: tokens({ input: 1, output: 1 }) }, half)).toEqual({
      cost: null,
      costs: { input: '0.000001' },
    });
    expect(priceOf({}, offerOf('a'))).toEqual({ cost: '0', costs: {} });
  });

  test('has the cost that its vendor reports, if any', () => {
    expect(priceOf({ tokens: tokens({ input: 1000 }), vendorCost: 0.00014 })).toEqual({
      cost: '0.00014',
      costs: { vendor: '0.00014' },
    });
  });

  test('has what the catalogue says beside a cost that its vendor reports, if it has a price for all of it', () => {
    const used = { tokens: tokens({ input: 1000, output: 100 }), images: 0 };
    const reported = (vendorCost: number, changes = offer) => price(changes, { ...used, vendorCost });
    expect(reported(0.0047).catalogueCost).toBe(readMoney('0.0045'));
    expect(reported(1, offerOf('a', { pricing: { prompt: '0.000003' } })).catalogueCost).toBeUndefined();
    expect(price(offer, { ...used, tier: 'scale', vendorCost: 1 }).catalogueCost).toBeUndefined();
    expect(price(offer, used).catalogueCost).toBeUndefined();
  });

  test.each([
    ['0.0045', 0.0045, false],
    ['a twentieth more', 0.004725, false],
    ['more than that', 0.00473, true],
    ['a twentieth less', 0.004275, false],
    ['less than that', 0.00427, true],
    ['nothing', 0, true],
  ])('is off the catalogue beyond a twentieth: %s', (_name, vendorCost, expected) => {
    const paid = price(offer, { tokens: tokens({ input: 1000, output: 100 }), images: 0, vendorCost });
    expect(isOffCatalogue(paid)).toBe(expected);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 100_001])('ignores a vendor cost of %s', (cost) => {
    expect(priceOf({ tokens: tokens({ input: 1 }), vendorCost: cost }).cost).toBe('0.000003');
    expect(isAbsurdCost({ vendorCost: cost })).toBe(true);
    expect(isAbsurdCost({ vendorCost: 100_000 })).toBe(false);
  });
});

describe('images', () => {
  const google = offerOf('a', { pricing: { prompt: '0.000002', completion: '0.00012', image: '0.134' } });
  const usage = (output: number, image: number | undefined) => ({
    input_tokens: 0,
    output_tokens: output,
    total_tokens: output,
    ...(image !== undefined && { output_tokens_details: { text_tokens: output - image, image_tokens: image } }),
  });

  test.each<[string, number | undefined, ReturnType<typeof usage> | undefined, number | undefined]>([
    ['by tokens if these were reported', 0.24, usage(2000, 2000), undefined],
    ['by the image where not', 0.268, undefined, undefined],
    ['per image if only the sum of tokens was reported', 0.268, usage(2000, undefined), undefined],
    ['by what the vendor says', 0.5, usage(2000, 2000), 0.5],
  ])('are charged %s', (_name, expected, counted, cost) => {
    const said = counted === undefined || cost === undefined ? counted : { ...counted, cost };
    expect(costOfImages(google, 2, said)).toBe(expected);
  });

  test('of a GPT image model cost what their tokens do: more in high quality, less in low, more if edited', () => {
    const tokenPrices = { prompt: '0.000005', completion: '0.00003', image_input: '0.000008', image_output: '0.00003' };
    const gpt = offerOf('a', { pricing: { ...tokenPrices, image: '0.053' } });
    const made = (image: number, seen = 0) => ({
      ...usage(image, image),
      input_tokens: 20 + seen,
      input_tokens_details: { text_tokens: 20, image_tokens: seen },
    });
    expect(costOfImages(gpt, 1, made(7033))).toBe(0.21109);
    expect(costOfImages(gpt, 1, made(200))).toBe(0.0061);
    expect(costOfImages(gpt, 1, made(200, 10_000))).toBe(0.0861);
    expect(costOfImages(gpt, 1, undefined)).toBe(0.053);
  });

  test('of half the size have half the tokens', () => {
    const flash = offerOf('a', { pricing: { prompt: '0.0000003', completion: '0.00006', image: '0.067' } });
    expect(costOfImages(flash, 1, usage(747, 747))).toBe(0.04482);
  });

  test('are charged the image token price, if any, instead of the text price', () => {
    const prices = { prompt: '0.000001', completion: '0.000002', image_input: '0.000004', image_output: '0.00003' };
    const priced = offerOf('a', { pricing: { ...prices, image: '0.034' } });
    const used = { tokens: tokens({ input: 10, imageIn: 100, output: 10, imageOut: 1000 }), images: 1 };
    expect(priceOf(used, priced).cost).toBe('0.03043');
    const withoutText = offerOf('a', { pricing: { prompt: '0.000001', image_output: '0.00003', image: '0.034' } });
    expect(priceOf({ tokens: tokens({ input: 10, imageOut: 1000 }), images: 1 }, withoutText).cost).toBe('0.03001');
  });

  test('have an unknown cost without reported tokens and without a price', () => {
    const tokensOnly = offerOf('a', { pricing: { prompt: '0.000002', completion: '0.00012' } });
    expect(costOfImages(tokensOnly, 1, undefined)).toBeUndefined();
    expect(costOfImages(tokensOnly, 1, usage(1000, undefined))).toBe(0.12);
    expect(costOfImages(offerOf('a', { pricing: { request: '0.04' } }), 3, undefined)).toBe(0.04);
  });
});

test('usage in client format has its details, and its cost if known', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const details = { prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } };
  expect(withCost({ ...usage, cost: 0.5 }, offer)).toEqual({ ...usage, ...details, cost: 0.5 });
  expect(withCost(usage, offer)).toEqual({ ...usage, ...details, cost: 0.00006 });
  expect(withCost({ ...usage, cost: -1 }, offerOf('a'))).toEqual({ ...usage, ...details });
  const counted = { prompt_tokens_details: { cached_tokens: 4, audio_tokens: 1 } };
  expect(withCost({ ...usage, ...counted }, offerOf('a'))).toEqual({ ...usage, ...details, ...counted });
});

describe('token classes', () => {
  test('do not overlap', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 500,
      total_tokens: 1500,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 100, image_tokens: 50 },
      completion_tokens_details: { reasoning_tokens: 300, image_tokens: 20 },
    };
    expect(tokensOfChat(usage)).toEqual({
      tokens: {
        ...noTokens,
        input: 250,
        cacheRead: 600,
        cacheWrite: 100,
        imageIn: 50,
        output: 180,
        reasoning: 300,
        imageOut: 20,
      },
      adjusted: false,
    });
  });

  test.each([
    ['negative', { prompt_tokens: -5, completion_tokens: 2 }, { output: 2 }],
    ['no number', { prompt_tokens: Number.NaN, completion_tokens: 2 }, { output: 2 }],
    ['absurd', { prompt_tokens: 1e300, completion_tokens: 0 }, { input: 100_000_000 }],
    [
      'a part larger than its whole',
      { prompt_tokens: 5, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 9 } },
      { cacheRead: 5 },
    ],
  ])('are bounded and flagged when the reported usage is %s', (_name, usage, expected) => {
    expect(tokensOfChat({ total_tokens: 0, ...usage })).toEqual({ tokens: tokens(expected), adjusted: true });
  });
});

const anyTokens = fc.record(
  Object.fromEntries(tokenClasses.map((name) => [name, fc.nat(10_000_000)])) as Record<
    TokenClass,
    fc.Arbitrary<number>
  >,
);
const anyPrice = fc.integer({ min: 0, max: 999_999 }).map((micros) => `0.0000${String(micros).padStart(6, '0')}`);
const anyOffer = fc
  .record({ prompt: anyPrice, completion: anyPrice, input_cache_read: anyPrice, input_cache_write: anyPrice })
  .map((prices) => offerOf('a', { pricing: prices }));

describe('for any usage and prices', () => {
  test('the sum of the classes is the total, to the last digit', () => {
    fc.assert(
      fc.property(anyOffer, anyTokens, (some, used) => {
        const { cost, costs } = price(some, { tokens: used, images: 0 });
        expect(costs.reduce((sum, { cost: each }) => sum + each, 0n)).toBe(cost);
        expect(costs.every(({ of }) => costClasses.includes(of))).toBe(true);
      }),
    );
  });

  test('usage reported in two parts costs the same as in one', () => {
    fc.assert(
      fc.property(anyOffer, anyTokens, anyTokens, (some, one, other) => {
        const both = Object.fromEntries(tokenClasses.map((name) => [name, one[name] + other[name]]));
        const costOf = (used: Tokens) => price(some, { tokens: used, images: 0 }).cost ?? 0n;
        expect(costOf(one) + costOf(other)).toBe(costOf(both as Record<TokenClass, number>));
      }),
    );
  });
});
