import { z } from 'zod';
import { principalSchema } from './principal.ts';

/** Billionths of a dollar, in which budgets count. */
const amountSchema = z.number().int().nonnegative();

/** What the lines of a batch may cost at most, in their order; 0 for a line that nothing is reserved for. */
export const lineEstimatesSchema = z.object({ amounts: z.array(amountSchema) });

/** What a batch holds of the budgets of its key, its project and its account until its lines have ended. */
export const budgetHoldSchema = z.object({
  principal: principalSchema.pick({ accountId: true, projectId: true, keyId: true, budgets: true }),
  /** That of the batch. The amount takes the place of what was held for it before; 0 releases it. */
  id: z.string(),
  amount: amountSchema,
  /** It is released this long after it was last set. */
  ttlMs: z.number().int().positive(),
  /** It must fit into what is left. Otherwise it did, and is only set again. */
  isNew: z.boolean(),
});

export type BudgetHold = z.infer<typeof budgetHoldSchema>;
