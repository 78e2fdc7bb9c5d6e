import type { AskedBudget, SpentBudget } from '@switchyard/contracts';
import { nanodollars, readMoney } from '@switchyard/pricing';
import type { PurseStep } from '@switchyard/store';
import { askedFor, type BudgetRule, hourNumber } from './rules.ts';

/** Asks the ledger what was spent. Rejects while it cannot be asked. */
export type AskLedger = (asked: readonly AskedBudget[]) => Promise<readonly SpentBudget[]>;

/** What the ledger knows of budgets, as their purses take it; `undefined` for one it says nothing of. */
export async function ledgersWord(
  ask: AskLedger,
  rules: readonly BudgetRule[],
  now: Date,
): Promise<(PurseStep | undefined)[]> {
  const asked = rules.map((rule) => askedFor(rule, now));
  const spent = await ask(asked);
  return asked.map(({ hour }, at) => {
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
