import type { Money } from '@tallyport/pricing';
import type { BilledLine } from '@tallyport/providers/cost-reports';

const moneyDigits = 15;
/** Numbers in JSON are doubles, whose sums differ in digits that no invoice has. */
const mostDecimals = 12;
/** No bill is rounded to more than a cent. */
const leastDecimals = 2;

/** The value of the last digit that a report writes: its amounts are exact to less than that. */
export function smallestUnitOf(lines: readonly Pick<BilledLine, 'amount'>[]): Money {
  const decimals = lines.map(({ amount }) => decimalsOf(amount));
  const most = decimals.reduce((one, other) => Math.max(one, other), leastDecimals);
  return 10n ** BigInt(moneyDigits - Math.min(most, mostDecimals));
}

function decimalsOf(amount: string): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(amount) ?? [];
  return fraction.length - Number(exponent);
}
