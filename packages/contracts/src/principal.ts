import { z } from 'zod';

/** Who is calling. Made by auth-svc from a key, carried by every exchange, never made up by anyone else. */
export const principalSchema = z.object({
  accountId: z.string(),
  keyId: z.string(),
  /** Model ids and provider ids this key may use; absent means all. */
  allowedModels: z.array(z.string()).optional(),
  allowedProviders: z.array(z.string()).optional(),
});

export type Principal = z.infer<typeof principalSchema>;
