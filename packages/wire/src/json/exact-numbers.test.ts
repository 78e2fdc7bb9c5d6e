import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExactNumber, parseExactJson, withRoundedNumbers } from './exact-numbers.ts';

test.each([
  ['{"id":1234567890123456789}'],
  ['[-9223372036854775808,18446744073709551615]'],
  ['{"amount":0.1234567890123456789012}'],
  ['{"a":{"b":[{"c":123456789012345678901234567890}]},"n":1}'],
  [`[${'9'.repeat(1_000)}]`],
])('writes %s as it was', (text) => {
  expect(JSON.stringify(parseExactJson(text))).toBe(text);
});

test.each([
  ['1', 1],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', 9_007_199_254_740_992],
  ['1.50000000000000000', 1.5],
  ['0.00000000000000000', 0],
  ['1.1920928955078125e-07', 1.192_092_895_507_812_5e-7],
  ['100000000000000000000', 100_000_000_000_000_000_000],
  ['"1234567890123456789"', '1234567890123456789'],
])('reads %s as an ordinary value', (text, value) => {
  expect(parseExactJson(text)).toBe(value);
});

test('throws for what JSON.parse refuses', () => {
  expect(() => parseExactJson('{"id":1234567890123456789')).toThrow(SyntaxError);
});

test('keeps every integer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (id) => {
      expect(JSON.stringify(parseExactJson(`{"id":${id}}`))).toBe(`{"id":${id}}`);
    }),
  );
});

test('equals JSON.parse for numbers that a double holds', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const text = JSON.stringify([number]);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('rounds numbers except below kept members', () => {
  const value = parseExactJson('{"n":1234567890123456789,"list":[{"input":{"id":1234567890123456789}}],"m":{"k":1}}');
  const rounded = withRoundedNumbers(value, new Set(['input']));
  expect(JSON.stringify(rounded)).toBe(
    '{"n":1234567890123456800,"list":[{"input":{"id":1234567890123456789}}],"m":{"k":1}}',
  );
  const plain = { a: [1, { b: 'x' }], input: 2 };
  expect(withRoundedNumbers(plain, new Set())).toBe(plain);
  expect(isExactNumber(1)).toBe(false);
});
