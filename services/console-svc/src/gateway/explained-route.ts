import { z } from 'zod';

const factor = z.object({ value: z.number().nullable(), ratio: z.number(), weight: z.number() });

export type ExplainedFactor = z.output<typeof factor>;

/** The plan of one model. */
const explainedPlanSchema = z.object({
  requested_model: z.string(),
  requested_provider: z.string().nullable(),
  model: z.string(),
  max_attempts: z.number(),
  /** Older replicas send none. */
  weights: z
    .object({
      from: z.enum(['account', 'operator', 'request']),
      uptime: z.number(),
      throughput: z.number(),
      price: z.number(),
      latency: z.number(),
    })
    .optional(),
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

/** The members of `POST /v1/routes/explain` that the page shows. */
export const explainedRouteSchema = explainedPlanSchema.extend({
  /** Older replicas send none. */
  settings: z.array(z.object({ name: z.string(), value: z.number(), description: z.string() })).optional(),
  /** The named routes that the request asks for. */
  routes: z
    .array(
      z.object({
        name: z.string(),
        conditions: z.array(
          z.object({
            if: z.string(),
            use: z.array(z.string()),
            result: z.enum(['true', 'false', 'failed', 'not_evaluated']),
            problem: z.string().optional(),
          }),
        ),
        targets: z.array(z.object({ model: z.string(), weight: z.number(), share: z.number(), chosen: z.boolean() })),
        models: z.array(z.object({ model: z.string() })),
      }),
    )
    .optional(),
  /** In USD, what budgets would reserve. */
  reservation_usd: z.string().optional(),
  /** Of a request that names several models: their order, their plans, and those that cannot serve it. */
  turns: z.array(z.string()).optional(),
  stand_ins: z.array(explainedPlanSchema).optional(),
  passed_over: z.array(z.object({ model: z.string(), detail: z.string() })).optional(),
});

export type ExplainedPlan = z.output<typeof explainedPlanSchema>;
export type ExplainedRoute = z.output<typeof explainedRouteSchema>;
export type ExplainedCandidate = ExplainedRoute['candidates'][number];

export const factorNames = ['uptime', 'throughput', 'price', 'latency'] as const;
export type FactorTitle = (typeof factorNames)[number];
