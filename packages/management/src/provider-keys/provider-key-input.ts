import { nameSchema } from '@tallyport/contracts';
import { z } from 'zod';

/** The key is sent in a header, so characters that no header can carry are refused. */
const key = z
  .string('must be a string')
  .trim()
  .regex(/^[\x21-\x7e]{8,4096}$/, 'must be 8 to 4096 visible ASCII characters without spaces');

export const newProviderKeySchema = z.strictObject({
  provider: z.string('must be a string').min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  label: nameSchema,
  key,
});

export type NewProviderKey = z.infer<typeof newProviderKeySchema>;

/** Omitted members stay unchanged; `key` replaces the current key. */
export const providerKeyChangesSchema = z.strictObject({
  label: nameSchema.optional(),
  key: key.optional(),
  enabled: z.boolean('must be true or false').optional(),
  /** From 1, among the keys of the provider; a position after the last one is the last. */
  position: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000, 'must be at most 1000').optional(),
});

export type ProviderKeyChanges = z.infer<typeof providerKeyChangesSchema>;
