import { nameSchema } from '@tallyport/contracts';
import { z } from 'zod';
import { emailSchema } from '../users/email.ts';
import { webhookSecretSchema } from '../webhook-secret.ts';
import { alertConditionSchema } from './alert-condition.ts';

const mostEmails = 10;

const emails = z
  .array(emailSchema, 'must be a list of e-mail addresses')
  .min(1, 'must not be empty')
  .max(mostEmails, `must have at most ${mostEmails} addresses`);

/** What the body of a webhook is: ours, which is signed, or what a webhook of Slack or of Microsoft Teams expects. */
export const webhookFormatSchema = z.enum(['standard', 'slack', 'teams'], 'must be standard, slack or teams');

export type WebhookFormat = z.infer<typeof webhookFormatSchema>;

/** Without a secret, one is made and returned once. */
export const alertWebhookSchema = z.strictObject({
  url: z.string('must be a string').min(1, 'must not be empty').max(2000, 'must have at most 2000 characters'),
  secret: webhookSecretSchema.optional(),
  /** Without it, `standard`, or that of the webhook before. */
  format: webhookFormatSchema.optional(),
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
