import { knownBudgetSchema, knownLimitsSchema } from '@tallyport/contracts';
import type { Row } from '@tallyport/database';

type LimitColumns = Pick<Row<'projects'>, 'limits' | 'budget' | 'end_user_budget'>;

/** The limits and budgets of a key or a project in the form of the API: absent values are omitted. */
export const storedLimits = ({ limits, budget, end_user_budget: endUserBudget }: LimitColumns) => ({
  ...(limits !== null && { limits: knownLimitsSchema.parse(limits) }),
  ...(budget !== null && { budget: knownBudgetSchema.parse(budget) }),
  ...(endUserBudget !== null && { endUserBudget: knownBudgetSchema.parse(endUserBudget) }),
});
