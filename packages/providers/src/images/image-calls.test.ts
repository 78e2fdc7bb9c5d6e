import { expect, test } from 'vitest';
import type { ImageAbilities } from '../image-provider.ts';
import { imageCallOf } from '../testing/images.ts';
import { imageCalls } from './image-calls.ts';

const abilities: ImageAbilities = {
  sizes: { kind: 'none' },
  mostPerCall: 4,
  config: ['n', 'seed'],
  mostWanted: 10,
  mostSeed: 9,
  transparency: false,
  outputFormats: [],
  mostPrompt: 100,
};

test('what one call can bring is one call, as it is', () => {
  const call = imageCallOf({ n: 4, config: { seed: 7 } });
  expect(imageCalls(call, abilities)).toEqual([call]);
});

test('more is several calls, the last of them for the rest', () => {
  expect(imageCalls(imageCallOf({ n: 10 }), abilities).map(({ n }) => n)).toEqual([4, 4, 2]);
  expect(imageCalls(imageCallOf({ n: 5 }), abilities).map(({ n }) => n)).toEqual([4, 1]);
});

test('seeds count on, and begin again after the largest', () => {
  const calls = imageCalls(imageCallOf({ n: 4, config: { n: 4, seed: 8 } }), { ...abilities, mostPerCall: 1 });
  expect(calls.map(({ config }) => config?.seed)).toEqual([8, 9, 0, 1]);
});

test('without a seed there is none in any call', () => {
  const [first] = imageCalls(imageCallOf({ n: 5 }), abilities);
  expect(first).toEqual(imageCallOf({ n: 4 }));
});
