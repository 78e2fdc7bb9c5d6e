import { guardWebhookTestSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { guardWebhookChangesSchema, guardWebhookRecordSchema, newGuardWebhookSchema } from './guard-webhook-schema.ts';

const webhookId = { id: z.string().min(1).max(100) };

/** A webhook reads the texts of every request that a rule sends to it, so only owners decide about it. */
export const guardWebhookOperations = {
  listGuardWebhooks: {
    method: 'GET',
    path: '/guard-webhooks',
    summary: 'Lists the webhooks that guardrails of the account and its keys may name, oldest first.',
    access: 'member',
    input: z.strictObject({}),
    output: z.object({ guardWebhooks: z.array(guardWebhookRecordSchema) }),
  },
  createGuardWebhook: {
    method: 'POST',
    path: '/guard-webhooks',
    summary:
      'Adds a webhook that guardrails may name. The secret signs our requests to it; it is stored encrypted and never shown again.',
    access: 'owner',
    input: newGuardWebhookSchema,
    output: guardWebhookRecordSchema,
    status: 201,
  },
  changeGuardWebhook: {
    method: 'PATCH',
    path: '/guard-webhooks/{id}',
    summary: 'Changes the URL or the secret of a webhook, everywhere within a second.',
    access: 'owner',
    input: guardWebhookChangesSchema.extend(webhookId),
    output: guardWebhookRecordSchema,
  },
  testGuardWebhook: {
    method: 'POST',
    path: '/guard-webhooks/{id}/test',
    summary:
      'Asks a webhook about a sample, also while it is paused, and returns its verdict or why there is none. A verdict ends the pause.',
    access: 'owner',
    input: z.strictObject(webhookId),
    output: guardWebhookTestSchema,
  },
  deleteGuardWebhook: {
    method: 'DELETE',
    path: '/guard-webhooks/{id}',
    summary: 'Deletes a webhook and its secret. Refused while guardrails of the account or of a key name it.',
    access: 'owner',
    input: z.strictObject(webhookId),
    output: guardWebhookRecordSchema,
  },
} as const satisfies ApiOperations;
