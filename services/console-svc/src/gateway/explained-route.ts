import { z } from 'zod';

const factor = z.object({ value: z.number().nullable(), ratio: z.number(), weight: z.number() });

export type ExplainedFactor = z.output<typeof factor>;

/** The members of `POST /v1/routes/explain` that the page shows. */
export const explainedRouteSchema = z.object({
  requested_model: z.string(),
  requested_provider: z.string().nullable(),
  model: z.string(),
  max_attempts: z.number(),
  candidates: z.array(
    z.object({
      provider: z.string(),
      key: z.enum(['own', 'service']),
      reason: z.string(),
      score: z.number(),
      factors: z.object({
        uptime: factor.optional(),
        throughput: factor.optional(),
        price: factor.optional(),
        latency: factor.optional(),
      }),
      uptime_penalty: z.number(),
      priority_penalty: z.number(),
      uptime: z.object({ lower: z.number() }),
    }),
  ),
  excluded: z.array(z.object({ provider: z.string(), reason: z.string(), detail: z.string().optional() })),
});

export type ExplainedRoute = z.output<typeof explainedRouteSchema>;
export type ExplainedCandidate = ExplainedRoute['candidates'][number];

export const factorNames = ['uptime', 'throughput', 'price', 'latency'] as const;
export type FactorTitle = (typeof factorNames)[number];
