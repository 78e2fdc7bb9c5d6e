import { z } from 'zod';

const ratio = z.number().min(0).max(1);

export const providerUptimesQuerySchema = z.object({
  days: z.int().min(1).max(90),
  incidentDays: z.int().min(1).max(90),
});

/**
 * How providers answered calls with the gateway's own keys, of all accounts. It has no number of calls, and a day with so
 * few that one of them could be recognised has no uptime.
 */
export const providerUptimesSchema = z.object({
  providers: z.array(
    z.object({
      provider: z.string(),
      days: z.array(z.object({ day: z.iso.date(), uptime: ratio.optional() })),
    }),
  ),
  /** Consecutive hours in which many calls failed, the newest first. `to` is the end of the last hour. */
  incidents: z.array(z.object({ provider: z.string(), from: z.string(), to: z.string(), uptime: ratio })),
});

export type ProviderUptimesQuery = z.infer<typeof providerUptimesQuerySchema>;
export type ProviderUptimes = z.infer<typeof providerUptimesSchema>;

const providerAvailabilitySchema = z.object({
  provider: z.string(),
  /** `degraded`: routing avoids some models, `outage`: all that were called answer less than half of their calls. */
  state: z.enum(['operational', 'degraded', 'outage']),
});

/** The providers for which the gateway has a key of its own, and how they answer now. */
export const availableProvidersSchema = z.object({ providers: z.array(providerAvailabilitySchema) });

export type ProviderAvailability = z.infer<typeof providerAvailabilitySchema>;
