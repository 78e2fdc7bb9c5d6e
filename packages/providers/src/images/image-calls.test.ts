import { expect, test } from 'vitest';
import type { ImageAbilities } from '../spec/image-provider.ts';
import { imageCallOf } from '../testing/images.ts';
import { imageCalls } from './image-calls.ts';

const abilities: ImageAbilities = {
  sizes: { kind: 'none' },
  mostPerCall: 4,
  config: ['n', 'seed'],
  maxImages: 10,
  maxSeed: 9,
  transparency: false,
  outputFormats: [],
  maxPromptLength: 100,
};

test('makes one unchanged call if it suffices', () => {
  const call = imageCallOf({ n: 4, config: { seed: 7 } });
  expect(imageCalls(call, abilities)).toEqual([call]);
});

test('makes several calls, the last one for the rest', () => {
  expect(imageCalls(imageCallOf({ n: 10 }), abilities).map(({ n }) => n)).toEqual([4, 4, 2]);
  expect(imageCalls(imageCallOf({ n: 5 }), abilities).map(({ n }) => n)).toEqual([4, 1]);
});

test('increments seeds and wraps around after the largest', () => {
  const calls = imageCalls(imageCallOf({ n: 4, config: { n: 4, seed: 8 } }), { ...abilities, mostPerCall: 1 });
  expect(calls.map(({ config }) => config?.seed)).toEqual([8, 9, 0, 1]);
});

test('sends no seed if there is none', () => {
  const [first] = imageCalls(imageCallOf({ n: 5 }), abilities);
  expect(first).toEqual(imageCallOf({ n: 4 }));
});
