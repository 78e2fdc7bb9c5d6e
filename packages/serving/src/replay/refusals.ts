import { GatewayError } from '@tallyport/contracts';

export const otherRequest = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request. Use a new key for each request, and reuse a key only to repeat its request.',
    { param: 'Idempotency-Key' },
  );

export const keyOfAnother = (): GatewayError =>
  new GatewayError('idempotency_conflict', 'This Idempotency-Key was used with another API key. Use a new one.', {
    param: 'Idempotency-Key',
  });

export const otherRules = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'This Idempotency-Key was used under other guardrails for answers. Use a new one.',
    { param: 'Idempotency-Key' },
  );

export const tooLargeToKeep = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'The answer to this Idempotency-Key was too large to be kept (IDEMPOTENCY_MAX_BYTES). Use a new key to request, and pay for, a new one.',
    { param: 'Idempotency-Key' },
  );

export const nothingToResume = (): GatewayError =>
  new GatewayError(
    'idempotency_conflict',
    'There is no answer to resume: it failed or is no longer kept. Send the request without Last-Event-ID to start again.',
    { param: 'Last-Event-ID' },
  );

/** Not a conflict: the stored answer is only temporarily unreadable. */
export const cannotResumeNow = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'The answer cannot be resumed right now. Try again in a second, or omit Last-Event-ID to start again.',
    { retryAfterMs: 1_000 },
  );

export const brokeOff = (): GatewayError =>
  new GatewayError('stream_truncated', 'The server that was making this answer stopped. Send the request again.');

export const ranTooLong = (): GatewayError =>
  new GatewayError('deadline_exceeded', 'The answer exceeded the time limit of a request.', { domain: 'gateway' });

export const endsNow = (): GatewayError =>
  new GatewayError('unavailable', 'The service handling this request is shutting down. Send it again.', {
    retryAfterMs: 1_000,
  });
