import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { modelPrices, offerPrices } from './shown-prices.ts';

const none = {
  prompt: '0',
  completion: '0',
  image: '0',
  request: '0',
  input_cache_read: '0',
  input_cache_write: '0',
  web_search: '0',
  internal_reasoning: '0',
};

const pricesOf = (output: string[], pricing: Record<string, string>, reasoning = false) =>
  modelPrices(modelOf('m', [offerOf('p', { pricing, reasoning })], { outputModalities: output }));

test.each<[string, string[], Record<string, string>, object]>([
  ['a chat', ['text'], { prompt: '1', completion: '2' }, { ...none, prompt: '1', completion: '2' }],
  [
    'a chat with a cache, searches and requests',
    ['text'],
    { prompt: '1', completion: '2', input_cache_read: '0.1', web_search: '0.01', request: '0.005' },
    { ...none, prompt: '1', completion: '2', input_cache_read: '0.1', web_search: '0.01', request: '0.005' },
  ],
  ['an image', ['image'], { image: '0.03' }, { ...none, image: '0.03' }],
  [
    'tokens of images',
    ['image'],
    { prompt: '1', completion: '2', image_input: '3', image_output: '4' },
    { ...none, prompt: '1', completion: '2', image_input: '3', image_output: '4' },
  ],
  ['vectors', ['embeddings'], { prompt: '1' }, { ...none, prompt: '1' }],
  ['characters', ['speech'], { character: '0.1' }, { ...none, character: '0.1' }],
  ['minutes', ['transcriptions'], { minute: '0.1' }, { ...none, minute: '0.1' }],
  ['nothing', ['text'], { prompt: '0', completion: '0' }, none],
])('a model that bills %s has "0" for everything else', (_name, output, pricing, expected) => {
  expect(pricesOf(output, pricing)).toEqual(expected);
});

test('reasoning has the price of the answer unless it has its own', () => {
  const pricing = { prompt: '1', completion: '2' };
  expect(pricesOf(['text'], pricing, true)).toMatchObject({ internal_reasoning: '2' });
  expect(pricesOf(['text'], { ...pricing, internal_reasoning: '3' }, true)).toMatchObject({ internal_reasoning: '3' });
});

const unknown = Object.fromEntries(Object.keys(none).map((member) => [member, '-1']));

test.each<[string, string[], Record<string, string>, object]>([
  ['all of them', ['text'], {}, unknown],
  ['the answer', ['text'], { prompt: '1' }, { ...none, prompt: '1', completion: '-1' }],
  ['the image', ['image'], { prompt: '1' }, { ...none, prompt: '1', image: '-1' }],
])('unknown prices are -1: %s', (_name, output, pricing, expected) => {
  expect(pricesOf(output, pricing)).toEqual(expected);
});

test('the entry of a provider has its three prices by the same rule', () => {
  const model = modelOf('m', []);
  expect(offerPrices(model, offerOf('p', { pricing: { prompt: '1', completion: '2' } }))).toEqual({
    prompt: '1',
    completion: '2',
    image: '0',
  });
  expect(offerPrices(model, offerOf('p', { pricing: {} }))).toEqual({ prompt: '-1', completion: '-1', image: '-1' });
  expect(modelPrices(model)).toEqual(unknown);
});
