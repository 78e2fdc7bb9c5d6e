import { signWebhook } from '@tallyport/service-kit';
import type { AlertMessage } from './message.ts';

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

/** A message as a signed webhook. `text` is what chat programs show. */
export function webhookRequest(message: AlertMessage, { secret, now }: { secret: string; now: Date }): WebhookRequest {
  const { id, kind, at, summary: text, ...data } = message;
  const body = JSON.stringify({
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    text,
    data: { ...data, summary: text },
  });
  return { headers: signWebhook({ id, body, secret, now }), body };
}
