import { providerKeyTestResultSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { newProviderKeySchema, providerKeyChangesSchema } from './provider-key-input.ts';
import { providerKeyRecordSchema } from './provider-key-record.ts';

const keyId = { id: z.string().min(1).max(100) };

/** Members can list keys, admins manage them. No caller can read a key again. */
export const providerKeyOperations = {
  listProviderKeys: {
    method: 'GET',
    path: '/provider-keys',
    summary:
      "Lists the account's provider keys by provider, those of each provider in the order in which they are tried.",
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ providerKeys: z.array(providerKeyRecordSchema) }),
  },
  createProviderKey: {
    method: 'POST',
    path: '/provider-keys',
    summary: 'Stores your key at a provider, encrypted. It is used from the next request on and never shown again.',
    access: 'admin',
    input: newProviderKeySchema,
    output: providerKeyRecordSchema,
    status: 201,
  },
  changeProviderKey: {
    method: 'PATCH',
    path: '/provider-keys/{id}',
    summary:
      'Renames, replaces, moves, enables or disables a key, everywhere within a second. Omitted members stay unchanged. `position` is the place among the keys of the provider, from 1.',
    access: 'admin',
    input: providerKeyChangesSchema.extend(keyId),
    output: providerKeyRecordSchema,
  },
  deleteProviderKey: {
    method: 'DELETE',
    path: '/provider-keys/{id}',
    summary: 'Deletes a key, everywhere within a second.',
    access: 'admin',
    input: z.strictObject(keyId),
    output: providerKeyRecordSchema,
  },
  testProviderKey: {
    method: 'POST',
    path: '/provider-keys/{id}/test',
    summary:
      'Asks a cheap model of the provider a question of a few tokens with this key, at your cost there, and returns the result within twenty seconds.',
    access: 'admin',
    input: z.strictObject(keyId),
    output: providerKeyTestResultSchema,
  },
} as const satisfies ApiOperations;
