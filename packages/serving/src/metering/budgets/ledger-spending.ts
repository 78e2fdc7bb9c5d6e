import type { BudgetQuery, SpentBudget } from '@tallyport/contracts';
import { nanodollars, readMoney } from '@tallyport/pricing';
import type { PurseStep } from '@tallyport/store';
import { spendingQuery, type BudgetRule, hourNumber } from './rules.ts';

/** Reads the spending of budgets from the ledger. Rejects while the ledger is unavailable. */
export type ReadLedger = (queries: readonly BudgetQuery[]) => Promise<readonly SpentBudget[]>;

/** The ledger's figures as steps for the budgets' purses; `undefined` for a budget it returned nothing for. */
export async function ledgerSpending(
  readLedger: ReadLedger,
  rules: readonly BudgetRule[],
  now: Date,
): Promise<(PurseStep | undefined)[]> {
  const queries = rules.map((rule) => spendingQuery(rule, now));
  const spent = await readLedger(queries);
  return queries.map(({ hour }, at) => {
    const known = spent[at];
    return known && stepOf(known, hour);
  });
}

const stepOf = ({ before, hours }: SpentBudget, hour: string): PurseStep => ({
  kind: 'know',
  before: amountOf(before),
  from: hourNumber(new Date(hour)),
  hours: hours.map((each) => ({ hour: hourNumber(new Date(each.hour)), amount: amountOf(each.cost) })),
});

const amountOf = (text: string): number => Math.min(nanodollars(readMoney(text) ?? 0n), Number.MAX_SAFE_INTEGER);
