import { expect, test } from 'vitest';
import type { ImageAbilities, ImageCall } from '../spec/image-provider.ts';
import { findImageProvider } from '../image-registry.ts';
import { imageCallOf, imageOfferOf } from '../testing/images.ts';
import { inputsOf } from './inputs.ts';
import { validateImageCall } from './judge.ts';

const cat = { mediaType: 'image/png', base64: 'Q0FU' };

const abilities: ImageAbilities = {
  sizes: { kind: 'shape', aspectRatios: ['1:1', '16:9'], classes: { '1K': '1K', '2K': '2K' } },
  mostPerCall: 1,
  config: ['aspect_ratio', 'image_size', 'n', 'seed'],
  maxImages: 4,
  maxSeed: 100,
  qualities: { standard: 'standard', hd: 'hd' },
  styles: true,
  transparency: true,
  outputFormats: [],
  maxPromptLength: 20,
  inputs: inputsOf({ count: 2 }),
};

const offer = imageOfferOf({ id: 'vendor' }, 'model');
const judged = (changes: Partial<ImageCall>, more: Partial<ImageAbilities> = {}) =>
  validateImageCall(imageCallOf(changes), { ...abilities, ...more }, offer);

const good: readonly Partial<ImageCall>[] = [
  {},
  { n: 10, size: 'auto', quality: 'hd', style: 'vivid', background: 'transparent', outputFormat: 'webp' },
  { size: '16384x10' },
  { prompt: 'x'.repeat(20), images: [cat, cat] },
  { n: 4, config: { aspect_ratio: '16:9', image_size: '2K', n: 4, seed: 100 } },
  { n: 10, config: { seed: 0 } },
];

test.each(good)('accepts %j', (changes) => {
  expect(judged(changes)).toEqual([]);
});

const bad: readonly (readonly [Partial<ImageCall>, string, string])[] = [
  [{ n: 11 }, 'n', 'must be a whole number from 1 to 10'],
  [{ n: 1.5 }, 'n', 'must be a whole number from 1 to 10'],
  [{ size: '2K' }, 'size', 'must be auto or WIDTHxHEIGHT, such as 1024x1024'],
  [{ quality: 'ultra' }, 'quality', 'must be one of standard, hd'],
  [{ quality: 'constructor' }, 'quality', 'must be one of standard, hd'],
  [{ prompt: 'x'.repeat(21) }, 'prompt', 'model of vendor accepts at most 20 characters'],
  [{ prompt: ' \n' }, 'prompt', 'must contain text that describes the image'],
  [{ prompt: '', config: {} }, 'messages', 'must contain text that describes the image'],
  [{ images: [cat, cat, cat] }, 'images', 'model of vendor accepts at most 2 images'],
  [{ images: [cat, cat, cat], config: {} }, 'messages', 'model of vendor accepts at most 2 images'],
  [
    { background: 'transparent', outputFormat: 'jpeg' },
    'background',
    'transparent needs an output_format of png or webp',
  ],
  [{ n: 5, config: { n: 5 } }, 'image_config.n', 'must be a whole number from 1 to 4'],
  [{ n: 0, config: { n: 0 } }, 'image_config.n', 'must be a whole number from 1 to 4'],
  [{ config: { seed: 101 } }, 'image_config.seed', 'must be a whole number from 0 to 100'],
  [{ config: { seed: -1 } }, 'image_config.seed', 'must be a whole number from 0 to 100'],
  [{ config: { aspect_ratio: '1:8' } }, 'image_config.aspect_ratio', 'must be one of 1:1, 16:9'],
  [{ config: { image_size: '2k' } }, 'image_config.image_size', 'must be one of 1K, 2K'],
  [{ config: { image_size: '1024x1024' } }, 'image_config.image_size', 'must be one of 1K, 2K'],
];

test.each(bad)('refuses %j: %s', (changes, param, message) => {
  expect(judged(changes)).toEqual([{ param, message, code: 'invalid_parameters' }]);
});

test('names unsupported members', () => {
  const { inputs: _inputs, ...blind } = abilities;
  const call = imageCallOf({ images: [cat], background: 'transparent', config: { seed: 1, aspect_ratio: '1:1' } });
  const lacking = { ...blind, transparency: false, config: ['image_size'] as const };
  expect(validateImageCall(call, lacking, offer)).toEqual([
    { param: 'messages', message: 'model of vendor does not accept images', code: 'unsupported_capability' },
    { param: 'image_config.seed', message: 'model of vendor supports only image_size', code: 'unsupported_parameter' },
    {
      param: 'image_config.aspect_ratio',
      message: 'model of vendor supports only image_size',
      code: 'unsupported_parameter',
    },
    {
      param: 'background',
      message: 'model of vendor does not support transparency; use opaque or auto',
      code: 'unsupported_parameter',
    },
  ]);
});

test('ignores a quality the model does not have', () => {
  const { qualities: _qualities, ...plain } = abilities;
  expect(validateImageCall(imageCallOf({ quality: 'ultra', style: 'natural' }), plain, offer)).toEqual([]);
});

const free = { kind: 'free', minSide: 10, maxSide: 4096, multipleOf: 1, leastPixels: 100, maxRatio: 10 } as const;

test.each([
  ['4096x4096', []],
  ['4097x1024', [{ param: 'image_config.image_size', code: 'invalid_parameters' }]],
  ['1024x4097', [{ param: 'image_config.image_size', code: 'invalid_parameters' }]],
  ['2K', [{ param: 'image_config.image_size', code: 'invalid_parameters' }]],
])('validates free size %s against the limits', (size, issues) => {
  const sizes = { ...free, maxPixels: 4096 * 4096 };
  expect(judged({ config: { image_size: size } }, { sizes })).toMatchObject(issues);
});

/** By family: members and values that are accepted, and those that are refused. */
const families: readonly (readonly [provider: string, model: string, good: object[], bad: object[]])[] = [
  [
    'google',
    'gemini-3-pro-image',
    [{ aspect_ratio: '21:9' }, { image_size: '4K' }],
    [{ aspect_ratio: '1:4' }, { image_size: '0.5K' }, { n: 1 }, { seed: 1 }],
  ],
  [
    'google',
    'gemini-3.1-flash-image',
    [{ aspect_ratio: '8:1' }, { image_size: '0.5K' }],
    [{ aspect_ratio: '1:3' }, { image_size: '1k' }, { image_size: '512' }],
  ],
  [
    'alibaba',
    'qwen-image-max',
    [{ image_size: '1024x1024' }, { image_size: '1536x1024' }, { n: 4 }, { seed: 2_147_483_647 }],
    [{ aspect_ratio: '1:1' }, { image_size: '1K' }, { image_size: '4096x4097' }, { n: 5 }, { seed: 2_147_483_648 }],
  ],
  [
    'alibaba',
    'qwen-image-2.0',
    [{ image_size: '2688x1536' }, { image_size: '2048x2048' }, { n: 4 }],
    [{ image_size: '2049x2048' }, { image_size: '4097x1024' }, { n: 5 }],
  ],
  [
    'zai',
    'glm-image',
    [{ image_size: '1024x1024' }, { image_size: '2048x1024' }, { image_size: '1024x2048' }, { n: 10 }],
    [{ aspect_ratio: '1:1' }, { image_size: '2049x1024' }, { seed: 1 }],
  ],
  [
    'zai',
    'cogview-4',
    [{ image_size: '2048x1024' }, { image_size: '1024x2048' }],
    [{ image_size: '2048x2048' }, { seed: 1 }],
  ],
  [
    'bytedance',
    'seedream-4-5-251128',
    [{ image_size: '1024x1024' }, { image_size: '2048x2048' }, { image_size: '4096x4096' }],
    [{ aspect_ratio: '1:1' }, { image_size: '4097x4096' }, { n: 2 }, { seed: 1 }],
  ],
];

test.each(families)('image_config of %s %s', (id, model, takes, refuses) => {
  const provider = findImageProvider(id)!;
  const its = imageOfferOf(provider, model);
  const issues = (config: { n?: number }) =>
    validateImageCall(imageCallOf({ n: config.n ?? 1, config }), provider.abilities(its), its).map(
      ({ param }) => param,
    );
  for (const config of takes) expect({ config, issues: issues(config) }).toEqual({ config, issues: [] });
  for (const config of refuses) {
    expect({ config, issues: issues(config) }).toEqual({ config, issues: [`image_config.${Object.keys(config)[0]}`] });
  }
});

test('refuses a mask unless the model has masks', () => {
  const message = 'model of vendor does not support masks; omit it and describe the change in the prompt';
  const call = { images: [cat], mask: cat };
  expect(judged(call)).toEqual([{ param: 'mask', message, code: 'unsupported_parameter' }]);
  expect(judged(call, { masks: true })).toEqual([]);
});
