import { expect, test } from 'vitest';
import { acceptedEncoding } from './accept-encoding.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0', undefined],
])('%s accepts %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
