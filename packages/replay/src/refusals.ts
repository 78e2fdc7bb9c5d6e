import { GatewayError } from '@switchyard/contracts';

export const otherRequest = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request. Use a new key for each request, and the same only to send one again.',
    { param: 'Idempotency-Key' },
  );

export const tooLargeToKeep = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'The answer to this Idempotency-Key was too large to be kept (IDEMPOTENCY_MAX_BYTES). Use a new key to make, and pay for, another.',
    { param: 'Idempotency-Key' },
  );

export const nothingToResume = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'There is no answer to go on with: it failed or is no longer kept. Send the request without Last-Event-ID to start anew.',
    { param: 'Last-Event-ID' },
  );

export const brokeOff = (): GatewayError =>
  new GatewayError('stream_truncated', 'The server that made this answer went away. Send the request again.');

export const ranTooLong = (): GatewayError =>
  new GatewayError('deadline_exceeded', 'The answer took longer than a request may take.', { domain: 'gateway' });

export const endsNow = (): GatewayError =>
  new GatewayError('unavailable', 'The service that worked on this request is shutting down. Send it again.', {
    retryAfterMs: 1_000,
  });
