import { apiKeySchema, keyChangesSchema, newKeySchema } from '@switchyard/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../api/operation.ts';

const keyId = { id: z.string().min(1).max(100) };
const shownOnce = z.object({
  /** The only time it is shown. */
  key: z.string(),
  record: apiKeySchema,
});
const weekMinutes = 7 * 24 * 60;

/** Members see and manage the keys they made, admins those of the whole account; admin keys see admin-keys. */
export const keyOperations = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    summary: 'The keys one may manage, the oldest first, revoked ones too.',
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ keys: z.array(apiKeySchema) }),
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    summary: 'Makes a key. Its text is in the answer and can never be read again.',
    access: 'member',
    input: newKeySchema,
    output: shownOnce,
    status: 201,
    example: {
      summary: 'A key for one team, with a limit and a budget',
      value: {
        name: 'search team',
        allowedModels: ['sandbox-chat'],
        limits: { requestsPerMinute: { chat: 120 } },
        budget: { amount: '25', period: 'month' },
      },
    },
  },
  readKey: {
    method: 'GET',
    path: '/keys/{id}',
    summary: 'One key.',
    access: 'member',
    input: z.strictObject(keyId),
    output: apiKeySchema,
  },
  changeKey: {
    method: 'PATCH',
    path: '/keys/{id}',
    summary: 'Changes what a key may do, everywhere within a second. What is left out stays, null takes it away.',
    access: 'member',
    input: keyChangesSchema.extend(keyId),
    output: apiKeySchema,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/keys/{id}',
    summary: 'Ends a key for ever, everywhere within a second.',
    access: 'member',
    input: z.strictObject(keyId),
    output: apiKeySchema,
  },
  rotateKey: {
    method: 'POST',
    path: '/keys/{id}/rotate',
    summary: 'Gives a key a new text. The one until now works for overlapMinutes more (60; 0 ends it at once).',
    access: 'member',
    input: z.strictObject({ ...keyId, overlapMinutes: z.int().min(0).max(weekMinutes).default(60) }),
    output: shownOnce,
  },
} as const satisfies ApiOperations;
