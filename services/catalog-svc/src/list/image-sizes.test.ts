import type { Model } from '@tallyport/contracts';
import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { imageSizesOf } from './image-sizes.ts';

const painter = (...offers: (readonly [providerId: string, modelName: string])[]): Model =>
  modelOf(
    'painter',
    offers.map(([providerId, modelName]) => offerOf(providerId, { modelName })),
    { outputModalities: ['image'] },
  );

const fixed = ['1328x1328', '1664x928', '1472x1104', '1104x1472', '928x1664'];
const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];

test.each([
  ['alibaba', 'qwen-image-plus', { kind: 'fixed', sizes: fixed }],
  [
    'alibaba',
    'qwen-image-2.0',
    {
      kind: 'free',
      min_side: 512,
      max_side: 4096,
      min_pixels: 512 * 512,
      max_pixels: 2048 * 2048,
      max_ratio: 4,
      multiple_of: 16,
    },
  ],
  ['alibaba', 'qwen-image-edit', { kind: 'provider' }],
  [
    'bytedance',
    'seedream-4-5-251128',
    {
      kind: 'free',
      min_side: 900,
      max_side: 4096,
      min_pixels: 3_686_400,
      max_pixels: 4096 * 4096,
      max_ratio: 4,
      multiple_of: 1,
    },
  ],
  ['google', 'gemini-2.5-flash-image', { kind: 'ratio', aspect_ratios: ratios, image_sizes: [] }],
  ['google', 'gemini-3-pro-image', { kind: 'ratio', aspect_ratios: ratios, image_sizes: ['1K', '2K', '4K'] }],
  ['openai', 'gpt-image-1', { kind: 'fixed', sizes: ['1024x1024', '1536x1024', '1024x1536'] }],
  ['xai', 'grok-2-image', { kind: 'provider' }],
])('the record of %s %s lists the sizes it makes', (providerId, modelName, expected) => {
  expect(imageSizesOf(painter([providerId, modelName]))).toEqual({ image_sizes: expected });
});

test('the first known provider decides', () => {
  const model = painter(['own', 'sd'], ['openai', 'gpt-image-1'], ['alibaba', 'qwen-image-plus']);
  expect(imageSizesOf(model)).toEqual({
    image_sizes: { kind: 'fixed', sizes: ['1024x1024', '1536x1024', '1024x1536'] },
  });
});

test.each([
  ['an operator’s provider', painter(['own', 'sd'])],
  ['a model without images', { ...painter(['openai', 'gpt-4o-mini']), outputModalities: ['text'] }],
])('%s has no sizes', (_name, model) => {
  expect(imageSizesOf(model)).toEqual({});
});
