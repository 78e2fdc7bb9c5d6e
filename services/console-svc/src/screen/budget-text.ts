import type { Budget } from '@tallyport/contracts';
import type { BudgetProgress } from '@tallyport/management';

const periods = { day: 'per day', week: 'per week', month: 'per month', total: 'in total' } as const satisfies Record<
  Budget['period'],
  string
>;

/** `$20 per month`. */
export const budgetText = ({ amount, period }: Budget): string => `$${amount} ${periods[period]}`;

const holderPaths = {
  account: () => 'account',
  project: (id: string) => `projects/${id}`,
  key: (id: string) => `keys/${id}`,
} as const satisfies Record<BudgetProgress['scope'], unknown>;

/** The page of the account, project or key that has the budget. */
export const budgetHolderAddress = (base: string, { scope, id }: Pick<BudgetProgress, 'scope' | 'id'>): string =>
  `${base}/${holderPaths[scope](id)}`;
