import { type Budget, knownBudgetSchema, type Principal } from '@tallyport/contracts';

/** Reads stored budgets; null if there is none. */
export function budgetsOf(stored: { key?: unknown; project?: unknown; account?: unknown }): Pick<Principal, 'budgets'> {
  const [key, project, account] = [read(stored.key), read(stored.project), read(stored.account)];
  if (key === undefined && project === undefined && account === undefined) return {};
  return { budgets: { ...(key && { key }), ...(project && { project }), ...(account && { account }) } };
}

const read = (stored: unknown): Budget | undefined =>
  stored === null || stored === undefined ? undefined : knownBudgetSchema.parse(stored);
