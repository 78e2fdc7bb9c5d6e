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
export const alertWebhookSchema = z.strictObject({
  url: z.string('must be a string').min(1, 'must not be empty').max(2000, 'must have at most 2000 characters'),
  secret: webhookSecret.optional(),
});

export type WebhookInput = z.infer<typeof alertWebhookSchema>;

interface Receivers {
  webhook?: unknown;
  emails?: unknown;
}

/** An alert without a receiver would have no effect. */
export const withReceiver = <Schema extends z.ZodType<Receivers>>(schema: Schema) =>
  schema.refine(({ webhook: url, emails: addresses }) => url !== undefined || addresses !== undefined, {
    message: 'needs a webhook, or e-mail addresses',
    path: ['webhook'],
  });

/** What an alert finds and whom it informs, without its name. */
export const alertSettingsSchema = z.strictObject({
  condition: alertConditionSchema,
  webhook: alertWebhookSchema.optional(),
  emails: emails.optional(),
  enabled: z.boolean('must be true or false').default(true),
});

export const newAlertSchema = withReceiver(alertSettingsSchema.extend({ name: nameSchema }));

export type NewAlert = z.infer<typeof newAlertSchema>;

/** Omitted members stay unchanged; null removes a receiver. A new condition starts without a state. */
export const alertChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  condition: alertConditionSchema.optional(),
  webhook: alertWebhookSchema.nullable().optional(),
  emails: emails.nullable().optional(),
  enabled: z.boolean('must be true or false').optional(),
});

export type AlertChanges = z.infer<typeof alertChangesSchema>;
