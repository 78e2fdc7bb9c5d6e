import { GatewayError } from '@tallyport/contracts';
import type { PurseState } from '@tallyport/store';
import type { CountedEndUser } from './counted-end-user.ts';
import type { BudgetRule } from './rules.ts';

const per = { day: ' per day', week: ' per week', month: ' per month', total: '' } as const;

const ofWhom = {
  own: ' for each end user',
  shared: ' for all further end users together',
  none: ' for all requests that name no end user',
} as const satisfies Record<CountedEndUser['counted'], string>;

/** The error for a refused request: whose budget it is, its state, and when it resets. */
export function budgetExceeded(
  { scope, endUser, budget, limit, until }: BudgetRule,
  { spent, held }: Pick<PurseState, 'spent' | 'held'>,
  { wanted, now }: { wanted: number; now: Date },
): GatewayError {
  const whose = `This ${scope}'s budget of $${budget.amount}${per[budget.period]}${endUser === undefined ? '' : ofWhom[endUser.counted]}`;
  const running = held > 0 ? `, ${usd(held)} reserved by running requests` : '';
  const cost = `this request may cost ${usd(wanted)}`;
  const resets = until ? `It resets at ${until.toISOString()}.` : 'It does not reset; raise it to continue.';
  const untilReset = until ? { retryAfterMs: Math.max(1, until.getTime() - now.getTime()) } : {};
  const mayFit = held > 0 && spent + wanted <= limit;
  return new GatewayError(
    'budget_exceeded',
    `${whose} does not allow this request: ${usd(spent)} spent${running}, and ${cost}. ${resets}`,
    mayFit ? { retryAfterMs: 1_000 } : untilReset,
  );
}

export const budgetUnknown = ({ scope }: BudgetRule): GatewayError =>
  new GatewayError(
    'unavailable',
    `The remainder of this ${scope}'s budget is temporarily unknown. Try again in a moment.`,
    { retryAfterMs: 1_000 },
  );

/** With four decimals, or two significant digits below one cent. */
function usd(nanodollars: number): string {
  const dollars = nanodollars / 1e9;
  return `$${dollars === 0 || dollars >= 0.01 ? dollars.toFixed(4) : dollars.toPrecision(2)}`;
}
