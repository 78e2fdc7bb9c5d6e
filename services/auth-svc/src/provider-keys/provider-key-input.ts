import { nameSchema } from '@switchyard/contracts';
import { z } from 'zod';

/** It becomes part of a header: what no header can carry would only look as if it worked. */
const key = z
  .string('must be text')
  .trim()
  .regex(/^[\x21-\x7e]{8,4096}$/, 'must be 8 to 4096 visible ASCII characters without spaces');

export const newProviderKeySchema = z.strictObject({
  provider: z.string('must be text').min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  label: nameSchema,
  key,
});

export type NewProviderKey = z.infer<typeof newProviderKeySchema>;

/** A member left out stays as it is; another `key` takes the place of the one there is. */
export const providerKeyChangesSchema = z.strictObject({
  label: nameSchema.optional(),
  key: key.optional(),
  enabled: z.boolean('must be true or false').optional(),
});

export type ProviderKeyChanges = z.infer<typeof providerKeyChangesSchema>;
