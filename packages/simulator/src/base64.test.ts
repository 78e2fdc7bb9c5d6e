import { expect, test } from 'vitest';
import { isAnyBase64, isBase64 } from './base64.ts';

test.each<[unknown, boolean]>([
  ['aGk=', true],
  ['aGkh', true],
  ['YQ==', true],
  ['a+/9', true],
  ['YQ===', false],
  ['a=Q=', false],
  ['a b=', false],
  ['==', false],
  ['', false],
  [7, false],
])('%j is base64: %s', (value, expected) => {
  expect([isBase64(value), isAnyBase64(value)]).toEqual([expected, expected]);
});

test('the letters of base64url are accepted only where they are asked for', () => {
  expect([isBase64('a-_9'), isAnyBase64('a-_9')]).toEqual([false, true]);
});

test('reads forty megabytes', () => {
  expect(isBase64(`${'A'.repeat(40_000_000)}=`)).toBe(true);
});
