import { z } from 'zod';
import { knownBudgetSchema } from './budget.ts';

/** Who is calling. Made by auth-svc from a key, carried by every exchange, never made up by anyone else. */
export const principalSchema = z.object({
  accountId: z.string(),
  keyId: z.string(),
  /** Model ids and provider ids this key may use; absent means all. */
  allowedModels: z.array(z.string()).optional(),
  allowedProviders: z.array(z.string()).optional(),
  /** Set when the account has provider keys of its own: whose keys are tried, in which order. */
  providerKeys: z.enum(['own_first', 'own_only', 'service_only']).optional(),
  /** Prompt and answer together; 0 is no limit, absent the operator's default. */
  tokensPerMinute: z.object({ key: z.number().optional(), account: z.number().optional() }).optional(),
  /** What may be spent, where that is limited. */
  budgets: z.object({ key: knownBudgetSchema.optional(), account: knownBudgetSchema.optional() }).optional(),
  /** How long its answers may be served again; 0 is never, absent the operator's default. */
  cacheTtlSeconds: z.number().optional(),
});

export type Principal = z.infer<typeof principalSchema>;
