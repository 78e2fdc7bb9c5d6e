import { GatewayError } from '@switchyard/contracts';
import type { PurseState } from '@switchyard/store';
import type { BudgetRule } from './rules.ts';

const per = { day: ' per day', week: ' per week', month: ' per month', total: '' } as const;

/** Says whose budget it is, how it stands and when there is more. */
export function budgetExceeded(
  { scope, budget, until }: BudgetRule,
  { spent, held }: Pick<PurseState, 'spent' | 'held'>,
  { wanted, now }: { wanted: number; now: Date },
): GatewayError {
  const whose = `This ${scope}'s budget of $${budget.amount}${per[budget.period]}`;
  const running = held > 0 ? `, ${usd(held)} are set aside for requests that run` : '';
  const cost = `this request may cost ${usd(wanted)}`;
  const resets = until ? `It resets at ${until.toISOString()}.` : 'It does not reset; it can only be raised.';
  return new GatewayError(
    'budget_exceeded',
    `${whose} does not allow this: ${usd(spent)} are spent${running}, and ${cost}. ${resets}`,
    until ? { retryAfterMs: Math.max(1, until.getTime() - now.getTime()) } : {},
  );
}

export const budgetUnknown = ({ scope }: BudgetRule): GatewayError =>
  new GatewayError(
    'unavailable',
    `What is left of this ${scope}'s budget cannot be known right now. Try again in a moment.`,
    { retryAfterMs: 1_000 },
  );

/** To a hundredth of a cent, or the first digits of what is less. */
function usd(nanodollars: number): string {
  const dollars = nanodollars / 1e9;
  return `$${dollars === 0 || dollars >= 0.01 ? dollars.toFixed(4) : dollars.toPrecision(2)}`;
}
