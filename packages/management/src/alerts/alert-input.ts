import { nameSchema } from '@switchyard/contracts';
import { z } from 'zod';
import { emailSchema } from '../users/email.ts';
import { alertConditionSchema } from './alert-condition.ts';

const mostEmails = 10;

const emails = z
  .array(emailSchema, 'must be a list of e-mail addresses')
  .min(1, 'must not be empty')
  .max(mostEmails, `must have at most ${mostEmails} addresses`);

/** As in Standard Webhooks: 24 to 64 bytes in base64. */
const webhookSecret = z
  .string('must be a string')
  .regex(
    /^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{4}(?:[A-Za-z0-9+/]{2}==)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    'must be whsec_ and 24 to 64 bytes in base64',
  );

export const webhookSecretPrefix = 'whsec_';

/** Without a secret, one is made and returned once. */
const webhook = z.strictObject({
  url: z.string('must be a string').min(1, 'must not be empty').max(2000, 'must have at most 2000 characters'),
  secret: webhookSecret.optional(),
});

export type WebhookInput = z.infer<typeof webhook>;

export const newAlertSchema = z
  .strictObject({
    name: nameSchema,
    condition: alertConditionSchema,
    webhook: webhook.optional(),
    emails: emails.optional(),
    enabled: z.boolean('must be true or false').default(true),
  })
  .refine((alert) => alert.webhook !== undefined || alert.emails !== undefined, {
    message: 'needs a webhook, or e-mail addresses',
    path: ['webhook'],
  });

export type NewAlert = z.infer<typeof newAlertSchema>;

/** Omitted members stay unchanged; null removes a receiver. A new condition starts without a state. */
export const alertChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  condition: alertConditionSchema.optional(),
  webhook: webhook.nullable().optional(),
  emails: emails.nullable().optional(),
  enabled: z.boolean('must be true or false').optional(),
});

export type AlertChanges = z.infer<typeof alertChangesSchema>;
