import { expect, test } from 'vitest';
import { scaledSize } from './scaled-size.ts';

const sizeOf = (text: string) => {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
};

test.each([
  ['1328x1328', '1024x1024'],
  ['1664x928', '1280x720'],
  ['928x1664', '720x1280'],
  // A difference of a hundredth is the limit, in either direction.
  ['1010x1000', '1000x1000'],
  ['1000x1010', '1000x1000'],
  ['1001x1000', '1000x1000'],
])('scales %s to %s', (made, requested) => {
  expect(scaledSize(sizeOf(made), sizeOf(requested))).toEqual(sizeOf(requested));
});

test.each([
  ['already has this size', '1024x1024', '1024x1024'],
  ['has another ratio', '1011x1000', '1000x1000'],
  ['has another ratio', '1000x1011', '1000x1000'],
  ['has another ratio', '1104x1472', '1024x1024'],
  ['is smaller', '1000x1000', '1001x1001'],
  ['is narrower', '999x1001', '1000x1000'],
  ['is lower', '1001x999', '1000x1000'],
])('keeps an image that %s: %s, %s', (_why, made, requested) => {
  expect(scaledSize(sizeOf(made), sizeOf(requested))).toBeUndefined();
});
