import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { sumsSchema } from './sums.ts';

export const groupings = ['day', 'model', 'provider', 'key'] as const;
export type Grouping = (typeof groupings)[number];

const date = z.iso.date();

/** UTC days, both inclusive; the last thirty by default. */
export const usagePeriod = { from: date.optional(), to: date.optional(), key: z.string().min(1).max(500).optional() };

/** Members see the usage of keys they created and of OAuth clients that act for them, admins that of the whole account. */
export const usageOperations = {
  readUsage: {
    method: 'GET',
    path: '/usage',
    summary: 'Reports usage and cost between two days, grouped by day, model, provider or key.',
    access: 'member',
    input: z.strictObject({ ...usagePeriod, group_by: z.enum(groupings).default('day') }),
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
    summary: 'Exports all requests between two days as CSV, for as long as individual records are kept.',
    access: 'member',
    input: z.strictObject(usagePeriod),
    output: z.string(),
    contentType: 'text/csv; charset=utf-8',
  },
} as const satisfies ApiOperations;
