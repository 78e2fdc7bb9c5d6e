import { expect, test } from 'vitest';
import { costOfImages } from './cost.ts';
import { estimateImages, estimateImagesUsage, type WantedImages } from './image-estimates.ts';
import { highestCost } from './estimates.ts';
import { moneyNumber } from './money.ts';

const offerOf = (pricing: Record<string, string>) => ({ providerId: 'a', modelName: 'm', pricing }) as never;
const byToken = { prompt: '0.000005', image_input: '0.000008', completion: '0.00001' };
const gpt2 = offerOf({ ...byToken, image_output: '0.00003', image: '0.053' });
const gpt15 = offerOf({ ...byToken, image_output: '0.000032', image: '0.034' });
const azure = offerOf({ prompt: '0.000005', image_input: '0.000008', completion: '0.00003' });
const gemini = offerOf({ prompt: '0.000002', completion: '0.000012', image_output: '0.00012', image: '0.134' });
const flat = offerOf({ image: '0.04' });

const wanted = (changes: Partial<WantedImages> = {}): WantedImages => ({ prompt: '', n: 1, images: [], ...changes });
const reserved = (offer: never, changes?: Partial<WantedImages>) =>
  moneyNumber(highestCost([offer], estimateImages(wanted(changes))));

test.each<[string, never, Partial<WantedImages>, number]>([
  ['low quality', gpt2, { quality: 'low' }, 0.006],
  ['medium quality', gpt2, { quality: 'medium' }, 0.053],
  ['high quality', gpt2, { quality: 'high' }, 0.211],
  ['a quality that the vendor chooses', gpt2, { quality: 'auto' }, 0.211],
  ['no quality', gpt2, {}, 0.211],
  ['high quality by its older name', gpt2, { quality: 'hd' }, 0.211],
  ['several images', gpt2, { quality: 'high', n: 3 }, 0.633],
  ['partial images', gpt2, { quality: 'high', partialImages: 3 }, 0.22],
  ['an image to edit', gpt2, { quality: 'low', images: ['one'] }, 0.05],
  ['low quality, wide', gpt15, { quality: 'low', size: '1536x1024' }, 0.013],
  ['medium quality, wide', gpt15, { quality: 'medium', size: '1536x1024' }, 0.05],
  ['high quality, wide', gpt15, { quality: 'high', size: '1536x1024' }, 0.2],
  ['high quality without a price per image', azure, { quality: 'high' }, 0.211],
  ['an image of 4K', gemini, {}, 0.24],
])('a budget has enough reserved for %s', (_name, offer, changes, cost) => {
  const amount = reserved(offer, changes);
  expect(amount).toBeGreaterThanOrEqual(cost);
  expect(amount).toBeLessThan(cost * 4);
});

test('a price per image alone is reserved for every quality', () => {
  expect(reserved(flat, { quality: 'high', n: 2, prompt: 'a lamp' })).toBe(0.08);
  expect(reserved(offerOf({ image: '0.04', image_output: '0.00003' }), { quality: 'high', prompt: 'a lamp' })).toBe(
    0.04,
  );
  expect(reserved(offerOf({ image: '0', prompt: '0', completion: '0' }))).toBe(0);
  expect(reserved(offerOf({ request: '0.02' }))).toBe(0.02);
});

test.each<[string, never, Partial<WantedImages>, number]>([
  ['of high quality', gpt2, { quality: 'high' }, 0.21201],
  ['of the highest quality', gpt2, { quality: 'max' }, 0.21201],
  ['of unknown quality', gpt2, {}, 0.05301],
  ['with a price per image alone', flat, { quality: 'high' }, 0.04],
])('an image %s whose client left is charged', (_name, offer, changes, cost) => {
  expect(costOfImages(offer, 1, estimateImagesUsage(wanted(changes), offer))).toBe(cost);
});
