import { budgetSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const progressSchema = z.object({
  scope: z.enum(['account', 'project', 'key']),
  /** The id of the account, project or key. */
  id: z.string(),
  name: z.string(),
  /** The limit in USD. */
  amount: budgetSchema.shape.amount,
  period: budgetSchema.shape.period,
  /** In USD, of finished requests in this period. What running requests have reserved is not included. */
  spent: z.string(),
  left: z.string(),
  /** More than 100 if finished requests cost more than they had reserved. */
  spentPercent: z.number(),
  /** Absent for a budget in total. */
  resetsAt: z.string().optional(),
});

export type BudgetProgress = z.infer<typeof progressSchema>;

export const budgetOperations = {
  listBudgets: {
    method: 'GET',
    path: '/budgets',
    summary:
      'Lists the budgets of the account, its projects and its keys with what was spent in the current period. The account is first, then projects, then keys, oldest first. Members see those of their projects and of keys they created.',
    access: 'member',
    input: z.strictObject({
      /** Text in the name of a project or key, or the beginning of a key. Without it the account is listed, too. */
      search: z.string().min(1).max(100).optional(),
      /** Only budgets of which at least this part was spent. */
      spentPercent: z.coerce.number().min(0).max(100).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      /** The nextCursor of an earlier response. */
      cursor: z
        .string()
        .max(100)
        .regex(/^(?:project|key):./, 'must be the nextCursor of an earlier response')
        .optional(),
    }),
    output: z.object({ budgets: z.array(progressSchema), nextCursor: z.string().optional() }),
  },
} as const satisfies ApiOperations;
