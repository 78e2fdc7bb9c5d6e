import { z } from 'zod';
import { alertConditionSchema } from './alert-condition.ts';
import { webhookFormatSchema } from './alert-input.ts';

const finding = {
  /** The id of a key, of a project, of a provider or of the account. */
  subject: z.string(),
  subjectName: z.string(),
  /** Per cent; for an expiry days, for a latency milliseconds, for a cost USD. */
  value: z.number(),
};

export const alertRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  condition: alertConditionSchema,
  webhook: z
    .object({
      url: z.string(),
      /** Of the secret, to recognise it; absent if it was set before these were kept. */
      lastFour: z.string().optional(),
      /** Absent for `standard`. */
      format: webhookFormatSchema.optional(),
    })
    .optional(),
  emails: z.array(z.string()).optional(),
  /** Those of `emails` that get no alerts until their owner has opened the link that they were sent. */
  unconfirmedEmails: z.array(z.string()).optional(),
  enabled: z.boolean(),
  /** When it was last checked. */
  checkedAt: z.string().optional(),
  /** What it found and is not resolved, oldest first; at most a hundred. Empty while all is well. */
  firing: z.array(z.object({ ...finding, since: z.string() })),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type AlertRecord = z.infer<typeof alertRecordSchema>;

const deliverySchema = z.object({
  channel: z.enum(['webhook', 'email']),
  /** The host of the webhook, or the address. */
  to: z.string(),
  /** `waiting` will be tried again, `failed` will not. */
  state: z.enum(['delivered', 'waiting', 'failed']),
  attempts: z.int().min(0),
  deliveredAt: z.string().optional(),
  nextAttemptAt: z.string().optional(),
  /** Why the last attempt failed. */
  lastError: z.string().optional(),
});

export type AlertDelivery = z.infer<typeof deliverySchema>;

export const alertEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  alertId: z.string(),
  /** The name at that time. */
  alertName: z.string(),
  kind: z.enum(['fired', 'resolved', 'test']),
  ...finding,
  /** Absent where no value caused the event. */
  value: finding.value.optional(),
  /** What happened, as a sentence. */
  summary: z.string(),
  deliveries: z.array(deliverySchema),
});

export type AlertEvent = z.infer<typeof alertEventSchema>;
