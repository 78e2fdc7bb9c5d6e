import { z } from 'zod';

/** A provider key as callers see it, without the key itself. */
export const providerKeyRecordSchema = z.object({
  id: z.string(),
  provider: z.string(),
  label: z.string(),
  /** The last four characters, to recognise the key; empty for short keys, of which they would reveal too much. */
  lastFour: z.string(),
  enabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type ProviderKeyRecord = z.infer<typeof providerKeyRecordSchema>;
