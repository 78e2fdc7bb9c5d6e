import { z } from 'zod';

export const budgetSchema = z.strictObject({
  /** Dollars, as text: money is never a floating point number. */
  amount: z.string().regex(/^\d{1,12}(\.\d{1,10})?$/, 'must be an amount in dollars, for example "25" or "0.50"'),
  period: z.enum(['day', 'week', 'month', 'total']),
});

export type Budget = z.infer<typeof budgetSchema>;

/** A budget stored or sent by another version: unknown members are dropped, not refused. */
export const knownBudgetSchema = budgetSchema.strip();
