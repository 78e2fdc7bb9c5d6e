import { signedMoneyText } from '@tallyport/pricing';
import type { BilledLine, CountedUse } from '@tallyport/providers/cost-reports';
import { billedAmount, modelDay, type ReportToCompare } from './build-cells.ts';

/**
 * Divides amounts that have no model, or `byKey` no key, by the shares of what was counted: some vendors bill what is not
 * tokens without a model, and report keys only with usage. The parts of an amount are exactly the amount. What was not
 * counted stays as it is.
 */
export function shareByUse({ lines, uses }: ReportToCompare, byKey: boolean): BilledLine[] {
  const ofModels = Map.groupBy(uses, modelDay);
  const ofDays = Map.groupBy(uses, ({ day }) => day);
  return lines.flatMap((line) => {
    const lacksModel = line.model === undefined;
    if (!lacksModel && (!byKey || line.keyId !== undefined)) return [line];
    const counted = lacksModel ? ofDays.get(line.day) : ofModels.get(modelDay(line));
    const shares = (counted ?? [])
      .filter((use) => isOf(use, line) && (lacksModel ? use.model : use.keyId) !== undefined)
      .map((use) => ({ ...use, count: countIn(use, line) }))
      .filter(({ count }) => count > 0);
    return shares.length === 0 ? [line] : divided(line, shares, byKey);
  });
}

const isOf = (use: CountedUse, { tier = use.tier, keyId = use.keyId }: BilledLine): boolean =>
  use.tier === tier && use.keyId === keyId;

const countIn = ({ counts }: CountedUse, { billedClass }: BilledLine): number =>
  Object.hasOwn(counts, billedClass) ? (counts[billedClass] ?? 0) : 0;

function divided(line: BilledLine, shares: readonly (CountedUse & { count: number })[], byKey: boolean): BilledLine[] {
  const whole = billedAmount(line.amount);
  const total = shares.reduce((sum, { count }) => sum + BigInt(count), 0n);
  let left = whole;
  return shares.map(({ model, keyId, count }, at) => {
    const part = at === shares.length - 1 ? left : (whole * BigInt(count)) / total;
    left -= part;
    return {
      ...line,
      ...(model !== undefined && { model }),
      ...(byKey && keyId !== undefined && { keyId }),
      amount: signedMoneyText(part),
    };
  });
}
