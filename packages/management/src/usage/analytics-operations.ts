import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { sumsSchema } from './sums.ts';
import { usagePeriod } from './usage-operations.ts';
import { count } from '../count.ts';

export const usageDimensions = ['model', 'provider', 'key', 'project'] as const;
export type UsageDimension = (typeof usageDimensions)[number];

const dimension = z.enum(usageDimensions);

/** What times and errors are grouped by. */
const tallyGroupings = [...usageDimensions, 'hour', 'day'] as const;
export type TallyGrouping = (typeof tallyGroupings)[number];

const grouping = z.enum(tallyGroupings);

/** What a point of a series is about. */
const usageIntervals = ['hour', 'day', 'period'] as const;
export type UsageInterval = (typeof usageIntervals)[number];

const dayOrHour = z.union([z.iso.date(), z.iso.datetime()]).optional();

const filters = {
  ...usagePeriod,
  /** A day by UTC, or a time at a full hour. */
  from: dayOrHour,
  /** The last day, or with times of hours the end, which is exclusive. */
  to: dayOrHour,
  /** The last hours up to now, the current one included, instead of `from` and `to`. */
  hours: z.coerce.number().int().min(1).max(48).optional(),
  model: z.string().min(1).max(200).optional(),
  provider: z.string().min(1).max(200).optional(),
  /** The id of a user: only keys that they created, and OAuth clients that act for them. */
  member: z.string().min(1).max(200).optional(),
  /** For admins: the newest 10,000 requests of an end user, as long as records are kept. */
  end_user: z.string().min(1).max(200).optional(),
};

/** Only these groups of `by`, separated by commas, at most a hundred. */
const only = z.string().max(20_000).optional();

/** How many requests were measured, and the value that half and 95 % of them did not exceed. */
const percentilesSchema = z.object({ count, p50: z.number(), p95: z.number() });

const latencySchema = z.object({
  durationMs: percentilesSchema.optional(),
  /** Of streams. */
  firstByteMs: percentilesSchema.optional(),
  /** Of streams, from the first content to the end. */
  tokensPerSecond: percentilesSchema.optional(),
});

export type Latency = z.infer<typeof latencySchema>;

/** The usage of an hour or a day. The members of `by` and `then_by` say what it is about. */
const pointSchema = sumsSchema.extend({
  at: z.string(),
  model: z.string().optional(),
  provider: z.string().optional(),
  key: z.string().optional(),
  /** Empty outside projects. */
  project: z.string().optional(),
});

export type UsagePoint = z.infer<typeof pointSchema>;

const errorCountSchema = z.object({ code: z.string(), group: z.string(), requests: count });

export type ErrorCount = z.infer<typeof errorCountSchema>;

/** Who sees which usage is the same as for `usageOperations`. */
export const analyticsOperations = {
  readUsageSeries: {
    method: 'GET',
    path: '/usage/series',
    summary:
      'Reports usage and cost by hour, day or for the whole period, within each by up to two of model, provider, key and project.',
    access: 'member',
    input: z.strictObject({
      ...filters,
      /** With `period`, each group has one point for the whole time. */
      interval: z.enum(usageIntervals).default('day'),
      by: dimension.optional(),
      then_by: dimension.optional(),
      /** Only so many groups of `by`, those of the highest cost. A point without the member is about all others. */
      top: z.coerce.number().int().min(1).max(100).optional(),
      only,
    }),
    output: z.object({
      interval: z.enum(usageIntervals),
      /** In order of time. */
      points: z.array(pointSchema),
      /** With `end_user`: the time of the oldest request that counts, if there are older ones. */
      since: z.string().optional(),
    }),
  },
  readLatency: {
    method: 'GET',
    path: '/usage/latency',
    summary:
      'Reports how long answered requests took, how long until their first content, and tokens per second of streams, by model, provider, key, project, hour or day; with interval, each group by hour or day, and with before_from and before_to also the total of another period.',
    access: 'member',
    input: z.strictObject({
      ...filters,
      by: grouping.default('model'),
      /** Only so many groups of `by`, those of the highest cost; without effect by hour and day. */
      top: z.coerce.number().int().min(1).max(100).default(20),
      only,
      /** Each group of `by` for each hour or day; without effect by hour and day. */
      interval: z.enum(['hour', 'day']).optional(),
      /** The first day or hour of another period, of which `before` is. */
      before_from: dayOrHour,
      /** Its last day, or with hours its end. */
      before_to: dayOrHour,
    }),
    output: z.object({
      by: grouping,
      groups: z.array(latencySchema.extend({ group: z.string(), /** With `interval`. */ at: z.string().optional() })),
      /** Of all groups together. */
      total: latencySchema,
      /** The same of the other period, if the request names one. */
      before: latencySchema.optional(),
    }),
  },
  readErrors: {
    method: 'GET',
    path: '/usage/errors',
    summary:
      'Counts requests by error code, within each by model, provider, key, project, hour or day, most frequent first.',
    access: 'member',
    input: z.strictObject({ ...filters, by: grouping.default('model') }),
    output: z.object({
      by: grouping,
      errors: z.array(errorCountSchema),
    }),
  },
} as const satisfies ApiOperations;
