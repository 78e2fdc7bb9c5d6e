import { guardWebhookName } from '@tallyport/contracts';
import { z } from 'zod';
import { webhookSecretSchema } from '../webhook-secret.ts';

const url = z.string('must be a string').min(1, 'must not be empty').max(2000, 'must have at most 2000 characters');

/** The account's own choice, so that a document can refer to it. */
const secret = webhookSecretSchema;

export const newGuardWebhookSchema = z.strictObject({ name: guardWebhookName, url, secret });

export type NewGuardWebhook = z.infer<typeof newGuardWebhookSchema>;

/** Omitted members stay unchanged. The name stays, because rules refer to it. */
export const guardWebhookChangesSchema = z.strictObject({ url: url.optional(), secret: secret.optional() });

export type GuardWebhookChanges = z.infer<typeof guardWebhookChangesSchema>;

/** A webhook as callers see it, without its secret. */
export const guardWebhookRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  /** Of the secret, to recognise it. */
  lastFour: z.string(),
  /** A process that found it failing does not ask it until then; absent if all ask it. */
  pausedUntil: z.string().optional(),
  /** Why it is paused. */
  problem: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type GuardWebhookRecord = z.infer<typeof guardWebhookRecordSchema>;
