import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageProviders } from '../image-registry.ts';
import type { FreeSizes } from '../spec/image-provider.ts';
import { imageFormatOf } from '../testing/image-formats.ts';
import { imageOfferOf } from '../testing/images.ts';
import { fittingSize, nearestShape, nearestSize, type Dimensions, dimensionsOf } from './sizes.ts';
import { runsOf } from '../../../../tests/support/scale.ts';

const written = (size: Dimensions | undefined): string | undefined => size && `${size.width}x${size.height}`;
const pixels = (size: string): Dimensions => dimensionsOf(size) ?? { width: 0, height: 0 };

test.each([
  '',
  'auto',
  '1024',
  '1024x',
  '0x1024',
  '1024x0',
  '9x1024',
  '1024X1024',
  '1024 x 1024',
  '100000x10',
  '-1x10',
  '1e3x10',
])('%j is not a size', (size) => {
  expect(dimensionsOf(size)).toBeUndefined();
});

test.each(['10x10', '99999x99999'])('%s is a size', (size) => {
  expect(written(dimensionsOf(size))).toBe(size);
});

const five = ['1328x1328', '1664x928', '1472x1104', '1104x1472', '928x1664'];

test.each([
  ['1024x1024', '1328x1328'],
  ['1536x1024', '1472x1104'],
  ['1024x1536', '1104x1472'],
  ['1920x1080', '1664x928'],
  ['1080x1920', '928x1664'],
  ['4096x10', '1664x928'],
  ['1100x1000', '1328x1328'],
])('the nearest of five sizes to %s by ratio is %s', (requested, nearest) => {
  expect(written(nearestSize(pixels(requested), five))).toBe(nearest);
});

test('chooses the nearest area among equal ratios', () => {
  expect(written(nearestSize(pixels('900x900'), ['512x512', '1024x1024', '2048x2048']))).toBe('1024x1024');
});

const sizes: FreeSizes = {
  minSide: 512,
  maxSide: 2048,
  multipleOf: 16,
  leastPixels: 512 * 512,
  maxPixels: 2 ** 21,
  maxRatio: 4,
};

test.each([
  ['2048x1024', '2048x1024'],
  ['2048x1040', '2032x1024'],
  ['1000x1000', '1008x1008'],
  // Rounded up, so that the image can be scaled down.
  ['1030x1030', '1040x1040'],
  ['256x256', '512x512'],
  ['8000x8000', '1440x1440'],
  // Beyond the largest ratio, what is too much can be cut off.
  ['4096x512', '2048x512'],
  ['1600x160', '2048x512'],
  ['10x9999', '512x2048'],
])('fits %s to %s within the limits', (requested, fitting) => {
  expect(written(fittingSize(pixels(requested), sizes))).toBe(fitting);
});

/** Every model family with free sizes. */
const families = imageProviders.flatMap((provider) => {
  const { model } = imageFormatOf(provider.id);
  const known = provider.abilities(imageOfferOf(provider, model)).sizes;
  return known.kind === 'free' ? [[provider.id, known] as const] : [];
});

describe.each([['within limits', sizes] as const, ...families])('%s', (_name, limits) => {
  test('makes any size fit and keeps one that fits', () => {
    const side = fc.integer({ min: 10, max: 99_999 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const found = fittingSize({ width, height }, limits);
        const [shorter, longer] = [found.width, found.height].toSorted((a, b) => a - b) as [number, number];
        expect(found.width % limits.multipleOf).toBe(0);
        expect(found.height % limits.multipleOf).toBe(0);
        expect(shorter).toBeGreaterThanOrEqual(limits.minSide);
        expect(longer).toBeLessThanOrEqual(limits.maxSide);
        expect(shorter * longer).toBeGreaterThanOrEqual(limits.leastPixels);
        expect(shorter * longer).toBeLessThanOrEqual(limits.maxPixels);
        expect(longer / shorter).toBeLessThanOrEqual(limits.maxRatio);
        expect(fittingSize(found, limits)).toEqual(found);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});

const shapes = {
  kind: 'shape' as const,
  aspectRatios: ['1:1', '3:2', '2:3', '16:9', '19.5:9', 'auto'],
  classes: { '0.5K': '512', '1K': '1K', '2K': '2K', '4K': '4K' },
};

test.each([
  ['1024x1024', { aspectRatio: '1:1', imageSize: '1K' }],
  ['1536x1024', { aspectRatio: '3:2', imageSize: '1K' }],
  ['512x512', { aspectRatio: '1:1', imageSize: '0.5K' }],
  ['2048x3072', { aspectRatio: '2:3', imageSize: '2K' }],
  ['3840x2160', { aspectRatio: '16:9', imageSize: '2K' }],
  ['4096x4096', { aspectRatio: '1:1', imageSize: '4K' }],
  ['1950x900', { aspectRatio: '19.5:9', imageSize: '1K' }],
])('the shape nearest to %s is %j', (requested, shape) => {
  expect(nearestShape(pixels(requested), shapes)).toEqual(shape);
});

test('returns only a ratio if there is one size', () => {
  expect(nearestShape(pixels('1024x1536'), { ...shapes, classes: {} })).toEqual({ aspectRatio: '2:3' });
});
