import { z } from 'zod';
import type { ApiOperations } from '../api/operation.ts';
import { newProviderKeySchema, providerKeyChangesSchema } from './provider-key-input.ts';
import { providerKeyRecordSchema } from './provider-key-record.ts';

const keyId = { id: z.string().min(1).max(100) };

/** Members see which there are, admins manage them. Nobody reads a key again. */
export const providerKeyOperations = {
  listProviderKeys: {
    method: 'GET',
    path: '/provider-keys',
    summary: "The account's own keys at providers, the oldest first: in this order those of one provider are tried.",
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ providerKeys: z.array(providerKeyRecordSchema) }),
  },
  createProviderKey: {
    method: 'POST',
    path: '/provider-keys',
    summary:
      'Keeps a key of your own at a provider, encrypted. It is used from the next request on and never shown again.',
    access: 'admin',
    input: newProviderKeySchema,
    output: providerKeyRecordSchema,
    status: 201,
  },
  changeProviderKey: {
    method: 'PATCH',
    path: '/provider-keys/{id}',
    summary: 'Renames, replaces, enables or disables a key, everywhere within a second. What is left out stays.',
    access: 'admin',
    input: providerKeyChangesSchema.extend(keyId),
    output: providerKeyRecordSchema,
  },
  deleteProviderKey: {
    method: 'DELETE',
    path: '/provider-keys/{id}',
    summary: 'Forgets a key, everywhere within a second.',
    access: 'admin',
    input: z.strictObject(keyId),
    output: providerKeyRecordSchema,
  },
} as const satisfies ApiOperations;
