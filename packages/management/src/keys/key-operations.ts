import { apiKeySchema, checkKey, keyChangesSchema, newKeySchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const keyId = { id: z.string().min(1).max(100) };
const shownOnce = z.object({
  /** Only in this response. */
  key: z.string(),
  record: apiKeySchema,
});
/** A text that is already known, for example from a secret store. Its length makes it impossible to guess. */
export const keyTextSchema = z
  .string('must be a string')
  .refine(checkKey, 'must be a key that npm run secrets -- generate-key has printed');
const weekMinutes = 7 * 24 * 60;

const mostIds = 100;

const keyQuerySchema = z.strictObject({
  /** Only these keys, separated by commas. */
  ids: z
    .string()
    .min(1)
    .transform((text) => text.split(','))
    .refine((ids) => ids.length <= mostIds, `must be at most ${mostIds} ids`)
    .optional(),
  search: z.string().min(1).max(100).optional(),
  /** Only keys of this project, or with `none` those of no project. */
  project: z.string().min(1).max(100).optional(),
  state: z.enum(['all', 'working', 'revoked']).default('all'),
  order: z.enum(['oldest', 'newest']).default('oldest'),
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
  cursor: z.string().min(1).max(100).optional(),
});

/** Which keys to list. `working` are those that are not revoked. */
export type KeyQuery = z.output<typeof keyQuerySchema>;

/** Members manage the keys they created, admins those of the whole account. For admin keys see admin-keys.ts. */
export const keyOperations = {
  listKeys: {
    method: 'GET',
    path: '/keys',
    summary:
      'Lists the keys you may manage, oldest first. ids lists up to 100 keys by their ids, separated by commas; search finds a part of the name or the beginning of the key; pass nextCursor to read on after the limit, by default 2,000.',
    access: 'member',
    input: keyQuerySchema,
    output: z.object({ keys: z.array(apiKeySchema), nextCursor: z.string().optional() }),
  },
  createKey: {
    method: 'POST',
    path: '/keys',
    summary:
      'Creates a key. The key is only in this response and cannot be read again. `key` sets its text, if it is already known.',
    access: 'member',
    input: newKeySchema.extend({ key: keyTextSchema.optional() }),
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
    summary: 'Returns a key.',
    access: 'member',
    input: z.strictObject(keyId),
    output: apiKeySchema,
  },
  changeKey: {
    method: 'PATCH',
    path: '/keys/{id}',
    summary:
      'Changes the settings of a key, everywhere within a second. Omitted members stay unchanged, null removes a setting.',
    access: 'member',
    input: keyChangesSchema.extend(keyId),
    output: apiKeySchema,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/keys/{id}',
    summary: 'Revokes a key permanently, everywhere within a second.',
    access: 'member',
    input: z.strictObject(keyId),
    output: apiKeySchema,
  },
  rotateKey: {
    method: 'POST',
    path: '/keys/{id}/rotate',
    summary:
      'Rotates a key. The previous version keeps working for overlapMinutes (default 60; 0 ends it at once). `key` sets its new text, if it is already known.',
    access: 'member',
    input: z.strictObject({
      ...keyId,
      overlapMinutes: z.int().min(0).max(weekMinutes).default(60),
      key: keyTextSchema.optional(),
    }),
    output: shownOnce,
  },
} as const satisfies ApiOperations;
