import { z } from 'zod';
import type { ApiOperations } from '../api/operation.ts';
import { groupings } from './read-usage.ts';
import { sumsSchema } from './sums.ts';

const date = z.iso.date();

/** Days by UTC, both included; the last thirty when left out. */
const period = { from: date.optional(), to: date.optional(), key: z.string().min(1).max(100).optional() };

/** Members see what the keys they made have used, admins the whole account. */
export const usageOperations = {
  readUsage: {
    method: 'GET',
    path: '/usage',
    summary: 'What was used and what it cost between two days, grouped by day, model, provider or key.',
    access: 'member',
    input: z.strictObject({ ...period, group_by: z.enum(groupings).default('day') }),
    output: z.object({
      from: date,
      to: date,
      groupBy: z.enum(groupings),
      groups: z.array(sumsSchema.extend({ group: z.string() })),
      total: sumsSchema,
    }),
  },
  exportUsage: {
    method: 'GET',
    path: '/usage/export',
    summary: 'Every request between two days as CSV, as long as single records are kept.',
    access: 'member',
    input: z.strictObject(period),
    output: z.string(),
    contentType: 'text/csv; charset=utf-8',
  },
} as const satisfies ApiOperations;
