import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moneyNumber, moneyText, nanodollars, readMoney } from './money.ts';

test.each([
  ['0', 0n, '0'],
  ['0.0000025', 2_500_000_000n, '0.0000025'],
  ['3', 3_000_000_000_000_000n, '3'],
  ['1.5e-7', 150_000_000n, '0.00000015'],
  ['2E3', 2_000_000_000_000_000_000n, '2000'],
  ['0.0000000000000009', 0n, '0'],
  ['0.00000009999999999', 99_999_999n, '0.000000099999999'],
])('%s', (text, money, shortest) => {
  expect(readMoney(text)).toBe(money);
  expect(moneyText(money)).toBe(shortest);
});

test.each(['', '-1', 'NaN', 'Infinity', '1,5', '0x10', '1e400', ' 1', '1 ', '.5', '1'.repeat(13)])(
  '%j is no amount',
  (text) => expect(readMoney(text)).toBeUndefined(),
);

test('a formatted amount can be parsed again', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 26n), (money) => {
      expect(readMoney(moneyText(money))).toBe(money);
    }),
  );
});

test('amounts for budgets are rounded up to a billionth', () => {
  expect([0n, 1n, 1_000_000n, 1_000_001n].map(nanodollars)).toEqual([0, 1, 1, 2]);
});

test('a JSON number is the nearest double', () => {
  expect(moneyNumber(300_000_000_000_000n)).toBe(0.3);
  fc.assert(fc.property(fc.bigInt(0n, 10n ** 17n), (money) => moneyNumber(money) === Number(moneyText(money))));
});
