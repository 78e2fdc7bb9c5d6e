/** USD as a whole number of 10^-15: sums are exact, and a price per token has enough digits. */
export type Money = bigint;

const digits = 15;
const form = /^(\d{1,12})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i;

/** Parses decimal text, with or without an exponent; `undefined` if it is not an amount. Further digits are cut off. */
export function readMoney(text: string): Money | undefined {
  const [matched, whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const shift = digits + Number(exponent) - fraction.length;
  const value = BigInt(whole + fraction);
  return shift >= 0 ? value * 10n ** BigInt(shift) : value / 10n ** BigInt(-shift);
}

const zeros = '0'.repeat(digits);

/**
 * The shortest decimal text: `0.00125`, `3`. Works without a division, because every request formats several amounts.
 */
export function moneyText(money: Money): string {
  const text = money.toString();
  const point = text.length - digits;
  let end = text.length;
  while (end > point && end > 0 && text.endsWith('0', end)) end -= 1;
  if (end === 0) return '0';
  if (point <= 0) return `0.${zeros.slice(text.length)}${text.slice(0, end)}`;
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
}

/** The same for amounts that may be negative: differences and credits. */
export function readSignedMoney(text: string): Money | undefined {
  if (!text.startsWith('-')) return readMoney(text);
  const amount = readMoney(text.slice(1));
  return amount === undefined ? undefined : -amount;
}

export const signedMoneyText = (money: Money): string => (money < 0n ? `-${moneyText(-money)}` : moneyText(money));

const unit = 10 ** digits;

/** The amount as a number, for JSON responses: the nearest double. */
export const moneyNumber = (money: Money): number =>
  money <= Number.MAX_SAFE_INTEGER ? Number(money) / unit : Number(moneyText(money));

/** The amount in billionths of a dollar, rounded up, which is the unit of budgets. */
export const nanodollars = (money: Money): number => Number((money + 999_999n) / 1_000_000n);
