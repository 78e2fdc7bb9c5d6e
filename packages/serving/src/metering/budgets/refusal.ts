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

interface Refused {
  /** The whole batch is refused, before any of its lines has run. */
  isBatch?: true;
  wanted: number;
  now: Date;
}

/** The error for a refused request or batch: whose budget it is, its state, and when it resets. */
export function budgetExceeded(
  { scope, endUser, budget, limit, until }: BudgetRule,
  { spent, held }: Pick<PurseState, 'spent' | 'held'>,
  { isBatch, wanted, now }: Refused,
): GatewayError {
  const whose = `This ${scope}'s budget of $${budget.amount}${per[budget.period]}${endUser === undefined ? '' : ofWhom[endUser.counted]}`;
  const running = held > 0 ? `, ${usd(held)} reserved by running requests and batches` : '';
  const state = `${usd(spent)} spent${running}`;
  const untilReset = until ? { retryAfterMs: Math.max(1, until.getTime() - now.getTime()) } : {};
  const mayFit = held > 0 && spent + wanted <= limit;
  return new GatewayError(
    'budget_exceeded',
    isBatch
      ? `${whose} does not allow this batch: ${state}, and its lines may cost ${usd(wanted)}. ${fewerLines(until)}`
      : `${whose} does not allow this request: ${state}, and this request may cost ${usd(wanted)}. ${resets(until)}`,
    mayFit ? { retryAfterMs: 1_000 } : untilReset,
  );
}

const resets = (until: Date | undefined): string =>
  until ? `It resets at ${until.toISOString()}.` : 'It does not reset; raise it to continue.';

const fewerLines = (until: Date | undefined): string =>
  `Send fewer lines, allow fewer tokens of output, or raise the budget${until ? `, which resets at ${until.toISOString()}` : ''}.`;

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
