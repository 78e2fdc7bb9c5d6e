/** USD as a whole number of 10^-15: sums are exact, and the price of a token has digits to spare. */
export type Money = bigint;

const digits = 15;
const form = /^(\d{1,12})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i;

/** Decimal text, with an exponent or not; `undefined` for anything that is no amount. What is smaller than the last digit is cut. */
export function readMoney(text: string): Money | undefined {
  const [matched, whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const shift = digits + Number(exponent) - fraction.length;
  const value = BigInt(whole + fraction);
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

/** The shortest decimal text: `0.00125`, `3`. Every request has some of them to write, so it is done without dividing. */
export function moneyText(money: Money): string {
  const text = money.toString().padStart(digits + 1, '0');
  let end = text.length;
  while (end > text.length - digits && text.endsWith('0', end)) end -= 1;
  const point = text.length - digits;
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
}

/** For answers in JSON, where an amount is a number. */
export const moneyNumber = (money: Money): number => Number(moneyText(money));

/** Billionths of a dollar, the next above: what budgets are counted in. */
export const nanodollars = (money: Money): number => Number((money + 999_999n) / 1_000_000n);
