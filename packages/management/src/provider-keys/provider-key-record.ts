import { z } from 'zod';

/** A provider key as callers see it, without the key itself. */
export const providerKeyRecordSchema = z.object({
  id: z.string(),
  provider: z.string(),
  /** The place among the account's keys of this provider, from 1: the enabled ones are tried in this order. */
  position: z.int().min(1),
  label: z.string(),
  /** The last four characters, to recognise the key; empty for short keys, of which they would reveal too much. */
  lastFour: z.string(),
  enabled: z.boolean(),
  /** `refused` if the provider refused it, or its billing, when it was last used. Only `disabled` keys are not used. */
  state: z.enum(['enabled', 'disabled', 'refused']),
  lastUsedAt: z.string().optional(),
  /** How it last failed by its own fault; absent if it never did, or was replaced since. */
  lastError: z.object({ type: z.string(), at: z.string() }).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type ProviderKeyRecord = z.infer<typeof providerKeyRecordSchema>;
