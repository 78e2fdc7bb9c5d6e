import { expect, test } from 'vitest';
import { fittingOf } from './fitting.ts';

const sizeOf = (text: string) => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
};

test.each([
  // Only scaled.
  ['1328x1328', '1024x1024', '1328x1328'],
  ['1008x1008', '1000x1000', '1008x1008'],
  ['1024x1024', '2048x2048', '1024x1024'],
  ['1024x1024', '4096x4096', '1024x1024'],
  // A part of another ratio is kept, and scaled down or up.
  ['1664x928', '1280x720', '1650x928'],
  ['1104x1472', '1024x1536', '981x1472'],
  ['1472x1104', '1536x1024', '1472x981'],
  ['1664x928', '2048x1024', '1664x832'],
  // Only cut.
  ['1920x1088', '1920x1080', '1920x1080'],
  // No part is empty, however odd the sizes are.
  ['16x4000', '4096x10', '16x1'],
])('an image of %s becomes %s from its %s', (made, requested, kept) => {
  expect(fittingOf(sizeOf(made), sizeOf(requested), Infinity)).toEqual({
    made: sizeOf(made),
    kept: sizeOf(kept),
    size: sizeOf(requested),
  });
});

test.each([
  ['already has this size', '1024x1024', '1024x1024'],
  ['would be enlarged beyond the largest size', '1024x1024', '4096x4097'],
  ['would be enlarged beyond the largest size', '4096x4096', '99999x99999'],
])('an image that %s stays: %s, %s', (_why, made, requested) => {
  expect(fittingOf(sizeOf(made), sizeOf(requested), Infinity)).toBeUndefined();
});

test('an image is not enlarged beyond the pixels that the server accepts', () => {
  const [made, size] = [sizeOf('1024x1024'), sizeOf('2048x2048')];
  expect(fittingOf(made, size, 2048 * 2048)).toMatchObject({ size });
  expect(fittingOf(made, size, 2048 * 2048 - 1)).toBeUndefined();
});

test('a larger image is scaled down to any size', () => {
  expect(fittingOf(sizeOf('8192x8192'), sizeOf('5000x5000'), 1)).toMatchObject({ size: sizeOf('5000x5000') });
});
