import { GatewayError } from '@tallyport/contracts';
import { rateLimited } from '@tallyport/limits';

export const runsUnavailable = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'Background responses are unavailable right now, because their store is. Try again in a second.',
    { retryAfterMs: 1_000 },
  );

export const queueIsFull = (): GatewayError =>
  new GatewayError('overloaded', 'Too many background responses are waiting. Try again in a minute.', {
    retryAfterMs: 60_000,
  });

export const tooManyRuns = (most: number): GatewayError =>
  rateLimited(
    `This account has ${most} background responses that have not ended (RESPONSES_BACKGROUND_OPEN). Wait for one, or cancel it.`,
    10_000,
  );

/** For a request that would have to be stored. */
export const accountIsFull = (): GatewayError =>
  new GatewayError(
    'request_too_large',
    "The account's stored responses and background requests have reached RESPONSES_ACCOUNT_MAX_BYTES. Delete some, or wait until they expire.",
  );

export const requestTooLarge = (limit: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `A background response and its input are stored, and may have ${limit} bytes (RESPONSES_MAX_BYTES). Send less, or leave background out.`,
  );

/** Aborts a run that a client has cancelled. */
export class RunCancelled extends GatewayError {
  constructor() {
    super('client_closed_request', 'The response was cancelled.');
    this.name = 'RunCancelled';
  }
}

export const runEndsNow = (): GatewayError =>
  new GatewayError('unavailable', 'The server that was making this response is shutting down. Send the request again.');

export const runTookTooLong = (): GatewayError =>
  new GatewayError('deadline_exceeded', 'The response took longer than a background response may.', {
    domain: 'gateway',
  });

export const waitedTooLong = (): GatewayError =>
  new GatewayError('overloaded', 'The response waited in the queue for too long. Send the request again.');

/** Its provider may have made the answer, and charged for it. */
export const lostWithReplica = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'The server that was making this response stopped after a part of it had been shown. Send the request again.',
  );

export const runAnswerLost = (): GatewayError =>
  new GatewayError(
    'internal_error',
    'The response was made and paid for, but the server stopped before it was stored.',
  );

export const begunTooOften = (): GatewayError =>
  new GatewayError('internal_error', 'Every server that made this response stopped. Send a different request.');

export const requestLost = (): GatewayError =>
  new GatewayError('internal_error', 'The request of this response is lost. Send it again.');

export const eventsLost = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'stream: the events of this response are no longer kept, or were too many. Get the response without stream.',
    { param: 'stream' },
  );

export const eventsUnderOtherRules = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'stream: the events of this response were made under other guardrails for answers. Get the response without stream.',
    { param: 'stream' },
  );
