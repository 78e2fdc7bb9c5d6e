import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const name = z.string().min(1).max(200);
const ratio = z.number().min(0).max(1);

/** How a provider, or one of its offers, did in a time. */
const healthSchema = z.object({
  /** The share of calls without a fault of the provider. */
  uptime: ratio,
  /** The share of calls that failed while another provider answered the request. */
  rescued: ratio,
  /** Of calls that succeeded: the milliseconds that half and 95 % of them did not exceed. */
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  /** The number of calls of all accounts. Only operators see it. */
  attempts: z.int().min(0).optional(),
});

const offerName = { provider: z.string(), /** Absent for all models of the provider. */ model: z.string().optional() };

const dailyHealthSchema = healthSchema.extend({ ...offerName, day: z.iso.date() });

/** Consecutive hours in which at least one of twenty calls failed, of ten calls or more, and two at least. */
const incidentSchema = z.object({
  ...offerName,
  from: z.string(),
  /** The end of the last hour. */
  to: z.string(),
  /** The share of calls without a fault of the provider, in these hours. */
  uptime: ratio,
});

export type DailyHealth = z.infer<typeof dailyHealthSchema>;
export type Incident = z.infer<typeof incidentSchema>;

export const newestFirst = (incidents: readonly Incident[]): Incident[] =>
  incidents.toSorted((one, other) => (one.from < other.from ? 1 : one.from > other.from ? -1 : 0));

/** Providers or offers in one response. */
export const mostHistories = 200;

export const providerOperations = {
  readProviderHistory: {
    method: 'GET',
    path: '/providers/history',
    summary:
      'Reports uptime and latency by UTC day and provider, or by offer with by=offer, for up to ninety days, and the incidents in that time, of the newest thousand hours with faults. A response has up to limit providers or offers, in alphabetical order; pass nextCursor to read on.',
    access: 'member',
    input: z.strictObject({
      days: z.coerce.number().int().min(1).max(90).default(90),
      by: z.enum(['provider', 'offer']).default('provider'),
      provider: name.optional(),
      model: name.optional(),
      limit: z.coerce.number().int().min(1).max(mostHistories).default(25),
      cursor: z
        .string()
        .max(401)
        .regex(/^[^/]+(\/.+)?$/, 'must be the nextCursor of an earlier response')
        .optional(),
    }),
    output: z.object({
      days: z.array(dailyHealthSchema),
      incidents: z.array(incidentSchema),
      nextCursor: z.string().optional(),
    }),
  },
} as const satisfies ApiOperations;
