import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { imagePrice, typicalPrice } from './typical-price.ts';

const offer = (pricing: Record<string, string>) => offerOf('a', { pricing });

test.each([
  ['three prompt tokens per completion token', { prompt: '0.5', completion: '1' }, 0.625],
  ['a side without a price as free', { completion: '1' }, 0.25],
  ['a price of nothing', { prompt: '0', completion: '0' }, 0],
  ['no price', {}, undefined],
  ['prices that are no amounts', { prompt: '-1', completion: 'Infinity' }, undefined],
  ['an image where tokens have no price', { image: '0.04', request: '0.01' }, 0.04],
  ['a request where nothing else has a price', { request: '0.01' }, 0.01],
])('typical traffic counts %s', (_name, pricing, expected) => {
  expect(typicalPrice(offer(pricing))).toBe(expected);
});

test('images are compared per image, and per request without such a price', () => {
  expect(imagePrice(offer({ prompt: '0.000004', image: '0.04', request: '0.01' }))).toBe(0.04);
  expect(imagePrice(offer({ prompt: '0.000004', request: '0.01' }))).toBe(0.01);
  expect(imagePrice(offer({ prompt: '0.000004' }))).toBeUndefined();
});
