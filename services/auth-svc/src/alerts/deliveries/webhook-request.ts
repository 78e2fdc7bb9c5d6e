import { createHmac } from 'node:crypto';
import { webhookKey } from '../webhook-secret.ts';
import type { AlertMessage } from './message.ts';

export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
}

/** A message as the specification Standard Webhooks has it. `text` is what chat programs show. */
export function webhookRequest(message: AlertMessage, { secret, now }: { secret: string; now: Date }): WebhookRequest {
  const { id, kind, at, summary: text, ...data } = message;
  const body = JSON.stringify({
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    text,
    data: { ...data, summary: text },
  });
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', webhookKey(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Switchyard',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}
