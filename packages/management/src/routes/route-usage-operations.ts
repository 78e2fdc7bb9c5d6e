import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { count } from '../count.ts';

const usedModelSchema = z.object({
  /** As the route names it. */
  model: z.string(),
  /** Why it had its place: `weight`, `other_target`, `condition`, `then`, or `shadow`. */
  reason: z.string(),
  /** Requests that it answered, also from the cache. */
  requests: count,
  /** Requests that ended with an error while they were with this model. */
  failed: count,
  /** Of requests that a provider answered: the mean in USD, the mean tokens of an answer, and the median time. */
  costPerRequest: z.string().optional(),
  tokensPerAnswer: z.number().optional(),
  durationMs: z.number().optional(),
});

export type UsedModel = z.infer<typeof usedModelSchema>;

const usedRouteSchema = z.object({
  name: z.string(),
  /** Requests count from here on: the last change of the route's targets, or the oldest request that was examined. */
  since: z.string(),
  models: z.array(usedModelSchema),
});

export type UsedRoute = z.infer<typeof usedRouteSchema>;

export const routeUsageOperations = {
  readRouteUsage: {
    method: 'GET',
    path: '/usage/routes',
    summary:
      "Reports which models answered for each of the account's routes since its targets last changed, with their cost, length and time. The newest 10,000 requests are examined, of many routes the newest 1,000 of each; members get those among them that they may see.",
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ routes: z.array(usedRouteSchema) }),
  },
} as const satisfies ApiOperations;
