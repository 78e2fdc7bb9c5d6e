import { z } from 'zod';

/** Names a webhook within its account, in rules, errors and records. */
export const guardWebhookName = z
  .string('must be a string')
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'must be 1 to 32 lower-case letters, digits and inner hyphens');

/** A service of the account's operators that decides about texts, with the secret that signs our requests. */
export const guardWebhookSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  secret: z.string(),
});

export type GuardWebhook = z.infer<typeof guardWebhookSchema>;

/** Whether a process asks a webhook, as it reports changes. */
export const guardWebhookStateSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  /** Null: the webhook is asked again. */
  pausedUntil: z.string().nullable(),
  /** Why it is not asked, as a sentence. */
  problem: z.string().optional(),
});

export type GuardWebhookState = z.infer<typeof guardWebhookStateSchema>;

/** What a test of a webhook gave: a verdict, or why there is none. */
export const guardWebhookTestSchema = z.object({
  durationMs: z.number().min(0),
  verdict: z.enum(['allow', 'block', 'redact']).optional(),
  problem: z.string().optional(),
});

export type GuardWebhookTest = z.infer<typeof guardWebhookTestSchema>;

/** What a webhook decides about texts. `redact` has the texts to go on with; null leaves one as it is. */
export const webhookVerdictSchema = z.discriminatedUnion('verdict', [
  z.object({ verdict: z.literal('allow') }),
  z.object({ verdict: z.literal('block') }),
  z.object({ verdict: z.literal('redact'), texts: z.array(z.string().nullable()) }),
]);

export type WebhookVerdict = z.infer<typeof webhookVerdictSchema>;
