import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { sumsSchema } from './sums.ts';

const groupings = ['day', 'model', 'provider', 'key', 'project'] as const;
export type Grouping = (typeof groupings)[number];

const date = z.iso.date();

/** UTC days, both inclusive; the last thirty by default. */
export const usagePeriod = {
  from: date.optional(),
  to: date.optional(),
  key: z.string().min(1).max(500).optional(),
  /** `none` means keys of no project. */
  project: z.string().min(1).max(100).optional(),
};

/**
 * Members see the usage of keys they created, of OAuth clients that act for them, and of a project whose admin they are;
 * admins that of the whole account. A request counts for the project that its key had at the time.
 */
export const usageOperations = {
  readUsage: {
    method: 'GET',
    path: '/usage',
    summary:
      'Reports usage and cost between two days, grouped by day, model, provider, key or project. Usage outside projects has an empty group.',
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
  readMemberUsage: {
    method: 'GET',
    path: '/usage/members',
    summary:
      'Reports the usage and cost of members between two days: of the keys that each created, and of the OAuth clients that act for them. A member without usage has no entry.',
    access: 'admin',
    input: z.strictObject({
      from: usagePeriod.from,
      to: usagePeriod.to,
      /** Ids of users, separated by commas, at most a hundred. */
      members: z.string().min(1).max(20_000),
    }),
    output: z.object({ from: date, to: date, members: z.array(sumsSchema.extend({ userId: z.string() })) }),
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
