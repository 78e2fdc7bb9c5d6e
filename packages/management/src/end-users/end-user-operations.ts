import { budgetSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { usagePeriod } from '../usage/usage-operations.ts';
import { count } from '../count.ts';

const date = z.iso.date();

const sumsSchema = z.object({
  requests: count,
  failed: count,
  /** Of prompts and answers. */
  tokens: count,
  /** In USD. */
  cost: z.string(),
  /** The part of `cost` that the account paid directly, with its own provider keys. */
  ownKeyCost: z.string(),
  /** The milliseconds that 95 % of the requests that a provider answered did not exceed; of lists with `latency=true`. */
  p95Ms: z.number().optional(),
});

const budgetStateSchema = z.object({
  /** Whose budget per end user it is. */
  scope: z.enum(['key', 'project']),
  id: z.string(),
  name: z.string(),
  amount: budgetSchema.shape.amount,
  period: budgetSchema.shape.period,
  /** In USD, in the current period. */
  spent: z.string(),
  left: z.string(),
  /** Absent for a budget in total. */
  resetsAt: z.string().optional(),
});

const daySchema = sumsSchema.extend({ day: date });

const endUserSchema = sumsSchema.extend({
  endUser: z.string(),
  /** With `interval=day`, without their p95. Days without requests are missing. */
  days: z.array(daySchema).optional(),
  /** Of the budgets per end user that it has used, the one with the least left. */
  budget: budgetStateSchema.optional(),
});

const oneEndUserSchema = z.object({
  /** Days without requests are missing. */
  days: z.array(daySchema),
  total: sumsSchema,
  /** The total of the other period, if the request names one. */
  before: sumsSchema.optional(),
});

export type OneEndUser = z.infer<typeof oneEndUserSchema>;
export type EndUserUsage = z.infer<typeof endUserSchema>;
export type EndUserSums = z.infer<typeof sumsSchema>;

/** Names of end users may be personal data, so members do not see them. */
export const endUserOperations = {
  listEndUsers: {
    method: 'GET',
    path: '/end-users',
    summary:
      'Lists the end users of the account that cost most between two days, by default in this month, with what is left of their budgets. Others are those beyond the first 10,000 of a month, or beyond a budget’s.',
    access: 'admin',
    input: z.strictObject({
      ...usagePeriod,
      limit: z.coerce.number().int().min(1).max(100).default(100),
      /** With `day`, the twenty that cost most have their UTC days as well. */
      interval: z.enum(['day', 'period']).default('period'),
      /** Whether each has its p95. */
      latency: z.stringbool('must be true or false').default(false),
    }),
    output: z.object({
      from: date,
      to: date,
      /** Highest cost first. */
      endUsers: z.array(endUserSchema),
      /** Further end users, which are counted together. */
      others: sumsSchema,
    }),
  },
  findEndUsers: {
    method: 'GET',
    path: '/end-users/names',
    summary:
      'Finds end users of this month and the last one by a part of their names, shortest names first; one by its exact name in all requests.',
    access: 'admin',
    input: z.strictObject({
      search: z.string().min(1).max(200),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    output: z.object({ endUsers: z.array(z.string()) }),
  },
  readEndUser: {
    method: 'GET',
    path: '/end-users/usage',
    summary:
      'Reports the usage of one end user by UTC day and in total, and with before_from and before_to also the total of other days.',
    access: 'admin',
    input: z.strictObject({
      end_user: z.string().min(1).max(200),
      from: usagePeriod.from,
      to: usagePeriod.to,
      before_from: usagePeriod.from,
      before_to: usagePeriod.to,
    }),
    output: oneEndUserSchema,
  },
  eraseEndUser: {
    method: 'POST',
    path: '/end-users/erase',
    summary:
      'Replaces the name of an end user in records and sums by "(erased)". Its requests keep their cost, and its budgets begin anew.',
    access: 'owner',
    input: z.strictObject({ endUser: z.string().min(1).max(100_000) }),
    output: z.object({ records: count }),
  },
} as const satisfies ApiOperations;
