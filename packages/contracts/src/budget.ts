import { z } from 'zod';

export const budgetSchema = z.strictObject({
  /** Dollars, as text: money is never a floating point number. */
  amount: z.string().regex(/^\d{1,12}(\.\d{1,10})?$/, 'must be an amount in dollars such as "25" or "0.50"'),
  period: z.enum(['day', 'week', 'month', 'total']),
});

export type Budget = z.infer<typeof budgetSchema>;

/** A budget as another version stored or sent it. */
export const knownBudgetSchema = budgetSchema.strip();
