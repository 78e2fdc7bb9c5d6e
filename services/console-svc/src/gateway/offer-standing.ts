import { z } from 'zod';

/** The members of an offer of `GET /v1/providers` that pages show. */
const offerStandingSchema = z.object({
  provider: z.string(),
  model: z.string(),
  /** What is missing before it can be called, such as a key. */
  obstacle: z.string().nullable(),
  /** Whose key is used first. */
  key: z.enum(['own', 'service']).nullable(),
  healthy: z.boolean(),
  latency_ms: z.number().nullable(),
  breaker: z.string(),
  cooldown_ms: z.number(),
  /** Absent from older versions of the gateway. */
  recovery: z.object({ state: z.string() }).nullish(),
  last_error: z.object({ type: z.string(), at: z.string() }).nullable(),
});

export type OfferStanding = z.output<typeof offerStandingSchema>;

export const standingsSchema = z.object({ data: z.array(offerStandingSchema) });
