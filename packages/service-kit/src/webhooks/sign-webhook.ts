import { createHmac } from 'node:crypto';

interface SignedWebhook {
  /** The same for each time that a message is sent. */
  id: string;
  body: string;
  /** Base64, with `whsec_` before it or without. */
  secret: string;
  now: Date;
}

/** The headers of a webhook as the specification Standard Webhooks has them, which receivers verify with a library. */
export function signWebhook({ id, body, secret, now }: SignedWebhook): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tallyport',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
