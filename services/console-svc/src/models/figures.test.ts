import { type Html, render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { cachedPrice, inputPrice, outputPrice } from './figures.ts';

const none = { prompt: '0', completion: '0', image: '0', request: '0', input_cache_read: '0' };
const textOf = (figure: Html): string =>
  render(figure)
    .replaceAll(/<[^>]*>/g, '')
    .trim();

test.each<[string, Record<string, string>, [string, string, string]]>([
  ['a chat', { ...none, prompt: '0.000002', completion: '0.00001' }, ['$2.00', '$10.00', '–']],
  [
    'a chat with a cache',
    { ...none, prompt: '0.000002', completion: '0.00001', input_cache_read: '0.000001' },
    ['$2.00', '$10.00', '$1.00'],
  ],
  ['images', { ...none, image: '0.03' }, ['–', '$0.03 an image', '–']],
  ['tokens of images', { ...none, prompt: '0.000005', completion: '0.00001', image: '0.05' }, ['$5.00', '$10.00', '–']],
  ['characters', { ...none, character: '0.00001' }, ['–', '–', '–']],
  ['nothing', none, ['$0', '$0', '–']],
  ['what is unknown', { prompt: '-1', completion: '-1', image: '-1', input_cache_read: '-1' }, ['–', '–', '–']],
])('the prices of %s', (_name, prices, expected) => {
  expect([inputPrice(prices), outputPrice(prices), cachedPrice(prices)].map(textOf)).toEqual(expected);
});
