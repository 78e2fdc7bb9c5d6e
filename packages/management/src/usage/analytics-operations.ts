import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { sumsSchema } from './sums.ts';
import { usagePeriod } from './usage-operations.ts';

export const usageDimensions = ['model', 'provider', 'key'] as const;
export type UsageDimension = (typeof usageDimensions)[number];

const dimension = z.enum(usageDimensions);
const count = z.int().min(0);
const filters = {
  ...usagePeriod,
  model: z.string().min(1).max(200).optional(),
  provider: z.string().min(1).max(200).optional(),
};

/** How many requests were measured, and the value that half and 95 % of them did not exceed. */
const percentilesSchema = z.object({ count, p50: z.number(), p95: z.number() });

/** Members see the usage of keys they created, admins that of the whole account. */
export const analyticsOperations = {
  readUsageSeries: {
    method: 'GET',
    path: '/usage/series',
    summary: 'Reports usage and cost by hour or day, within each by up to two of model, provider and key.',
    access: 'member',
    input: z.strictObject({
      ...filters,
      interval: z.enum(['hour', 'day']).default('day'),
      by: dimension.optional(),
      then_by: dimension.optional(),
    }),
    output: z.object({
      interval: z.enum(['hour', 'day']),
      /** In order of time. The members of `by` and `then_by` say what a point is about. */
      points: z.array(
        sumsSchema.extend({
          at: z.string(),
          model: z.string().optional(),
          provider: z.string().optional(),
          key: z.string().optional(),
        }),
      ),
    }),
  },
  readLatency: {
    method: 'GET',
    path: '/usage/latency',
    summary:
      'Reports how long answered requests took, how long until their first content, and tokens per second of streams, by model, provider or key.',
    access: 'member',
    input: z.strictObject({ ...filters, by: dimension.default('model') }),
    output: z.object({
      by: dimension,
      groups: z.array(
        z.object({
          group: z.string(),
          durationMs: percentilesSchema.optional(),
          /** Of streams. */
          firstByteMs: percentilesSchema.optional(),
          /** Of streams, from the first content to the end. */
          tokensPerSecond: percentilesSchema.optional(),
        }),
      ),
    }),
  },
  readErrors: {
    method: 'GET',
    path: '/usage/errors',
    summary: 'Counts requests by error code, within each by model, provider or key, most frequent first.',
    access: 'member',
    input: z.strictObject({ ...filters, by: dimension.default('model') }),
    output: z.object({
      by: dimension,
      errors: z.array(z.object({ code: z.string(), group: z.string(), requests: count })),
    }),
  },
} as const satisfies ApiOperations;
