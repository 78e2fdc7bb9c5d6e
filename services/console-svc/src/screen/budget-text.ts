import type { Budget } from '@tallyport/contracts';

const periods = { day: 'per day', week: 'per week', month: 'per month', total: 'in total' } as const satisfies Record<
  Budget['period'],
  string
>;

/** `$20 per month`. */
export const budgetText = ({ amount, period }: Budget): string => `$${amount} ${periods[period]}`;
