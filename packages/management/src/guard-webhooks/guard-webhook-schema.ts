import { guardWebhookName } from '@switchyard/contracts';
import { z } from 'zod';

const url = z.string('must be a string').min(1, 'must not be empty').max(2000, 'must have at most 2000 characters');

/** Signs our requests. It is the account's own choice, so that a document can refer to it. */
const secret = z
  .string('must be a string')
  .regex(
    /^(?:whsec_)?[A-Za-z0-9+/]{32,256}={0,2}$/,
    'must be 32 to 256 characters of base64, with or without "whsec_" before them: openssl rand -base64 32',
  );

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
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type GuardWebhookRecord = z.infer<typeof guardWebhookRecordSchema>;
