import { type Budget, budgetPeriod } from '@tallyport/contracts';
import type { CallOperation } from '@tallyport/management';

export interface Spent {
  /** In USD, without what accounts paid for themselves with their own provider keys: budgets do not count it. */
  amount: number;
  /** The end of the period of the budget. */
  until: Date | undefined;
}

/** Reads what was spent in the current period of a budget. Sums are by day, so it is unknown for one without a period. */
export async function readSpent(ask: CallOperation, { period }: Pick<Budget, 'period'>): Promise<Spent | undefined> {
  const { from, until } = budgetPeriod(period, new Date());
  if (from === undefined) return undefined;
  const { total } = await ask('readUsage', { from: from.toISOString().slice(0, 10) });
  return { amount: Number(total.cost) - Number(total.ownKeyCost), until };
}
