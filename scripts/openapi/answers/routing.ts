import { z } from 'zod';

const ratio = z.number().nullable();

const standing = {
  healthy: z.boolean().describe('Whether it may be tried first.'),
  uptime: z
    .object({ ratio, lower: ratio, upper: ratio, samples: ratio })
    .describe("Of all replicas' attempts, fading. `lower` is what routing looks at."),
  latency_ms: z.number().nullable().describe('To the first content.'),
  tokens_per_second: z.number().nullable(),
  breaker: z.string().describe('closed, open or halfOpen, in the replica that answers.'),
  cooldown_ms: z.int().describe('How long the provider asked not to be called.'),
};

const named = { provider: z.string(), model: z.string(), model_name: z.string() };

const factor = z.object({ value: z.number().nullable(), ratio, weight: z.number().nullable() });

export const routeSchema = z.object({
  object: z.literal('route'),
  requested_model: z.string(),
  requested_provider: z.string().nullable(),
  model: z.string(),
  max_attempts: z.int(),
  candidates: z
    .array(
      z.object({
        ...named,
        key: z.enum(['own', 'service']).describe('Whose key is tried first.'),
        reason: z.string().describe('Why it stands where it stands.'),
        score: z.number().describe('The lowest is best.'),
        factors: z.record(z.string(), factor),
        uptime_penalty: z.number(),
        priority_penalty: z.number(),
        ...standing,
      }),
    )
    .describe('In the order in which they would be tried.'),
  excluded: z.array(z.object({ ...named, reason: z.string(), detail: z.string().optional() })),
});

export const providersSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      ...named,
      obstacle: z.string().nullable().describe('What keeps it from being called, such as a missing key.'),
      key: z.enum(['own', 'service']).nullable(),
      ...standing,
      last_error: z.object({ type: z.string(), at: z.iso.datetime() }).nullable(),
    }),
  ),
});
