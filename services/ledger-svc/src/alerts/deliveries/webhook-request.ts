import type { WebhookFormat } from '@tallyport/management';
import { signWebhook } from '@tallyport/service-kit';
import { slackMessage, teamsMessage } from './chat-messages.ts';
import type { AlertMessage } from './message.ts';

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

interface WebhookOptions {
  format: WebhookFormat;
  secret: string;
  now: Date;
}

/** A message as a signed webhook. Slack and Teams do not look at the signature. */
export function webhookRequest(message: AlertMessage, { format, secret, now }: WebhookOptions): WebhookRequest {
  const body = JSON.stringify(bodies[format](message));
  return { headers: signWebhook({ id: message.id, body, secret, now }), body };
}

const bodies: Readonly<Record<WebhookFormat, (message: AlertMessage) => object>> = {
  standard: standardMessage,
  slack: slackMessage,
  teams: teamsMessage,
};

/** `text` is what chat programs show. */
function standardMessage({ id: _id, kind, at, summary: text, ...data }: AlertMessage): object {
  return { type: `alert.${kind}`, timestamp: at.toISOString(), text, data: { ...data, summary: text } };
}
