import { signedMoneyText } from '@tallyport/pricing';
import type { BilledLine, CountedUse } from '@tallyport/providers/cost-reports';
import { billedAmount, modelDay } from './build-cells.ts';

/**
 * Divides amounts that have no key by the keys' shares of what was counted: some vendors report keys only with usage. The
 * parts of an amount are exactly the amount. What was not counted stays without a key.
 */
export function shareByKey(lines: readonly BilledLine[], uses: readonly CountedUse[]): BilledLine[] {
  const ofModels = Map.groupBy(
    uses.filter(({ keyId }) => keyId !== undefined),
    modelDay,
  );
  return lines.flatMap((line) => {
    if (line.keyId !== undefined) return [line];
    const counted = (ofModels.get(modelDay(line)) ?? []).filter(
      ({ tier }) => line.tier === undefined || line.tier === tier,
    );
    const shares = counted.map((use) => ({ ...use, count: countIn(use, line) })).filter(({ count }) => count > 0);
    return shares.length === 0 ? [line] : divided(line, shares);
  });
}

const countIn = ({ counts }: CountedUse, { billedClass }: BilledLine): number =>
  Object.hasOwn(counts, billedClass) ? (counts[billedClass] ?? 0) : 0;

function divided(line: BilledLine, shares: readonly (CountedUse & { count: number })[]): BilledLine[] {
  const whole = billedAmount(line.amount);
  const total = shares.reduce((sum, { count }) => sum + BigInt(count), 0n);
  let left = whole;
  return shares.map(({ keyId, count }, at) => {
    const part = at === shares.length - 1 ? left : (whole * BigInt(count)) / total;
    left -= part;
    return { ...line, ...(keyId !== undefined && { keyId }), amount: signedMoneyText(part) };
  });
}
