import { expect, test } from 'vitest';
import { readImageConfig } from './image-config.ts';

test('leaves out null members', () => {
  expect(readImageConfig({ aspect_ratio: '1:1', image_size: null, n: 2, seed: undefined })).toEqual({
    aspect_ratio: '1:1',
    n: 2,
  });
  expect(readImageConfig({})).toEqual({});
});

test.each([
  ['quality', 'high', 'is not supported; use aspect_ratio, image_size, n, seed'],
  ['__proto__x', 1, 'is not supported; use aspect_ratio, image_size, n, seed'],
  ['constructor', 1, 'is not supported; use aspect_ratio, image_size, n, seed'],
  ['aspect_ratio', 1, 'must be a string such as "16:9"'],
  ['image_size', 1024, 'must be a string such as "2K" or "1024x1024"'],
  ['n', '2', 'must be a whole number'],
  ['n', 1.5, 'must be a whole number'],
  ['seed', 2 ** 60, 'must be a whole number'],
])('%s: %j is refused', (name, value, why) => {
  expect(() => readImageConfig({ [name]: value })).toThrow(
    expect.objectContaining({
      code: 'invalid_parameters',
      param: `image_config.${name}`,
      message: `image_config.${name}: ${why}.`,
    }),
  );
});
