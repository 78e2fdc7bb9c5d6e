import { type Budget, knownBudgetSchema, type Principal } from '@switchyard/contracts';

/** Reads stored budgets; null if there is none. */
export function budgetsOf(stored: { key?: unknown; account?: unknown }): Pick<Principal, 'budgets'> {
  const [key, account] = [read(stored.key), read(stored.account)];
  if (key === undefined && account === undefined) return {};
  return { budgets: { ...(key && { key }), ...(account && { account }) } };
}

const read = (stored: unknown): Budget | undefined =>
  stored === null || stored === undefined ? undefined : knownBudgetSchema.parse(stored);
