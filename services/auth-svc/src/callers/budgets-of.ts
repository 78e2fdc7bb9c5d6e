import { type Budget, knownBudgetSchema, type Principal } from '@tallyport/contracts';

/** Reads stored budgets; null if there is none. */
export function budgetsOf(stored: { key?: unknown; project?: unknown; account?: unknown }): Pick<Principal, 'budgets'> {
  const [key, project, account] = [read(stored.key), read(stored.project), read(stored.account)];
  if (key === undefined && project === undefined && account === undefined) return {};
  return { budgets: { ...(key && { key }), ...(project && { project }), ...(account && { account }) } };
}

/** Reads the stored budgets of end users. */
export function endUserBudgetsOf(stored: { key?: unknown; project?: unknown }): Pick<Principal, 'endUserBudgets'> {
  const [key, project] = [read(stored.key), read(stored.project)];
  if (key === undefined && project === undefined) return {};
  return { endUserBudgets: { ...(key && { key }), ...(project && { project }) } };
}

const read = (stored: unknown): Budget | undefined =>
  stored === null || stored === undefined ? undefined : knownBudgetSchema.parse(stored);
