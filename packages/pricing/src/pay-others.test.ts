import { noTokens } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { describe, expect, test } from 'vitest';
import { moneyText } from './money.ts';
import { price } from './price.ts';
import { relateOffers } from './related-offers.ts';
import { tokensOfChat } from './tokens.ts';

const pricing = { prompt: '0.000002', completion: '0.00001', input_cache_write: '0.0000025', web_search: '0.01' };
const offer = offerOf('lab', { pricing, geos: { us: '1.1' } });
const advisor = offerOf('lab', { modelName: 'wise', pricing: { prompt: '0.00001', completion: '0.00005' } });
relateOffers([offer], (providerId, name) => (providerId === 'lab' && name === 'wise' ? advisor : undefined));

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const paid = (changes: object, at = offer) => {
  const { cost, costs, unpriced } = price(at, { ...tokensOfChat({ ...usage, ...changes }), images: 0 });
  const parts = Object.fromEntries(costs.map((part) => [part.of, moneyText(part.cost)]));
  return { cost: cost === undefined ? null : moneyText(cost), parts, unpriced };
};
const written = (lifetimes: object) => ({
  prompt_tokens_details: { cache_write_tokens: 80, cache_write_tokens_details: lifetimes },
});

test('a write of an hour costs its own price', () => {
  const own = offerOf('lab', { pricing: { ...pricing, input_cache_write_1h: '0.000004' } });
  expect(paid(written({ ttl_1h_tokens: 30 }), own)).toEqual({
    cost: '0.000385',
    parts: { input: '0.00004', cacheWrite: '0.000125', cacheWrite1h: '0.00012', output: '0.0001' },
    unpriced: [],
  });
});

test('without a price of its own it costs at least what another write does, and is named', () => {
  expect(paid(written({ ttl_1h_tokens: 80 }))).toEqual({
    cost: '0.00034',
    parts: { input: '0.00004', cacheWrite1h: '0.0002', output: '0.0001' },
    unpriced: ['cache_write_1h'],
  });
});

describe('audio that was read from the cache', () => {
  const heard = {
    prompt_tokens_details: { cached_tokens: 60, cached_audio_tokens: 50, audio_tokens: 30 },
  };

  test('costs its own price', () => {
    const own = { ...pricing, input_cache_read: '0.0000002', audio_input: '0.000007', audio_cache_read: '0.0000007' };
    expect(paid(heard, offerOf('lab', { pricing: own }))).toEqual({
      cost: '0.000367',
      parts: {
        input: '0.00002',
        cacheRead: '0.000002',
        audioCacheRead: '0.000035',
        audioIn: '0.00021',
        output: '0.0001',
      },
      unpriced: [],
    });
  });

  test('costs what cached text does, and is named only where audio has another price than text', () => {
    const text = { ...pricing, input_cache_read: '0.0000002' };
    expect(paid(heard, offerOf('lab', { pricing: text }))).toMatchObject({ cost: '0.000192', unpriced: [] });
    const audio = { ...text, audio_input: '0.000007' };
    expect(paid(heard, offerOf('lab', { pricing: audio }))).toMatchObject({
      cost: '0.000342',
      unpriced: ['audio_cache_read'],
    });
  });
});

test('a tool costs its price, and one without is named', () => {
  const { cost, unpriced } = paid({ server_tool_use: { web_search_requests: 3, file_search_calls: 1 } });
  expect([cost, unpriced]).toEqual(['0.0303', ['file_searches']]);
});

test('another model costs what it does at the same provider', () => {
  const use = { for: 'advisor', usage: { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 } };
  expect(paid({ other_models: [{ ...use, model: 'wise' }] })).toEqual({
    cost: '0.0043',
    parts: { input: '0.0002', output: '0.0001', advisorIn: '0.002', advisorOut: '0.002' },
    unpriced: [],
  });
  for (const model of ['unknown', undefined])
    expect(paid({ other_models: [{ ...use, model }] })).toMatchObject({ cost: '0.0003', unpriced: ['advisor'] });
  expect(paid({ other_models: [{ ...use, model: 'wise' }] }, offerOf('lab', { pricing }))).toMatchObject({
    unpriced: ['advisor'],
  });
});

test('what has no price of its own at another model is named with its purpose', () => {
  const at = { prompt_tokens: 100, completion_tokens: 0, total_tokens: 100, ...written({ ttl_1h_tokens: 80 }) };
  expect(paid({ other_models: [{ for: 'advisor', model: 'wise', usage: at }] })).toMatchObject({
    parts: { advisorIn: '0.001' },
    unpriced: ['advisor.cache_write_1h'],
  });
});

test('counts of tools and of other models that are impossible are cut, which is noted', () => {
  const counted = (changes: object) => tokensOfChat({ ...usage, ...changes });
  const others = (count: number, changes: object = {}) =>
    counted({
      other_models: Array.from({ length: count }, () => ({ for: 'advisor', usage: { ...usage, ...changes } })),
    });
  const searches = (web_search_requests: number) => counted({ server_tool_use: { web_search_requests } });
  expect([searches(100_000), searches(100_001)].map(({ adjusted, tools }) => [adjusted, tools?.webSearches])).toEqual([
    [false, 100_000],
    [true, 100_000],
  ]);
  expect([others(1_000), others(1_001)].map(({ adjusted, otherModels }) => [adjusted, otherModels?.length])).toEqual([
    [false, 1_000],
    [true, 1_000],
  ]);
  const most = 100_000_000;
  expect(
    [most, most + 1]
      .map((prompt_tokens) => others(1, { prompt_tokens }))
      .map(({ adjusted, tokens }) => [adjusted, tokens.advisorIn]),
  ).toEqual([
    [false, most],
    [true, most],
  ]);
});

test('a place multiplies prices per token, and one that is not known is named', () => {
  expect(paid({ inference_geo: 'us', server_tool_use: { web_search_requests: 1 } })).toMatchObject({
    cost: '0.01033',
    unpriced: [],
  });
  expect(paid({ inference_geo: 'mars' })).toMatchObject({ cost: '0.0003', unpriced: ['inference_geo.mars'] });
  for (const inference_geo of ['global', 'not_available'])
    expect(paid({ inference_geo })).toMatchObject({ cost: '0.0003', unpriced: [] });
});

test('a summary does not move the prompt above a limit of the prices', () => {
  const priceTiers = [{ overInputTokens: 100, pricing: { prompt: '0.000004' } }];
  const used = { prompt_tokens: 150, prompt_tokens_details: { compaction_tokens: 50 } };
  expect(paid(used, offerOf('lab', { pricing, priceTiers })).cost).toBe('0.0004');
});

test('the names of a vendor are kept, and tokens count once', () => {
  expect(paid({ unknown_classes: ['future_tokens'] }).unpriced).toEqual(['future_tokens']);
  expect(tokensOfChat({ ...usage, ...written({ ttl_30m_tokens: 100 }) })).toMatchObject({
    tokens: { ...noTokens, input: 20, cacheWrite30m: 80, output: 10 },
    adjusted: true,
  });
});
