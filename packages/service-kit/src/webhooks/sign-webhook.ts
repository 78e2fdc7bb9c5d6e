import { createHmac } from 'node:crypto';

/** The header with the signature of a request to a webhook. */
export const webhookSignatureHeader = 'switchyard-signature';

/**
 * `t=<unix seconds>,v1=<hex>`: the HMAC with SHA-256 of the time, a full stop and the body. Receivers compute it again,
 * and refuse times that differ by more than a few minutes from their clock.
 */
export function signWebhook(body: string, secret: string, now = Date.now()): string {
  const seconds = Math.floor(now / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
