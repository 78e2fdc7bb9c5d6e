import { GatewayError } from '@tallyport/contracts';
import { processOf } from './needed-services.ts';
import { serviceName } from './subject.ts';

export const callerLeft = (): GatewayError => new GatewayError('client_closed_request', 'The caller disconnected.');

/** Abort reason of a replica that confirmed a request too late: another replica has answered it. Also of one answered elsewhere. */
export class RequestDismissed extends GatewayError {
  constructor(message = 'The caller already has an answer from another replica.') {
    super('client_closed_request', message);
    this.name = 'RequestDismissed';
  }
}

export const deadlinePassed = (): GatewayError =>
  new GatewayError('deadline_exceeded', 'The request took longer than its time limit. Try again, or ask for less.', {
    domain: 'gateway',
  });

const unavailable = (message: string): GatewayError => new GatewayError('unavailable', message, { retryAfterMs: 1000 });

/** Takes the subject of the operation. */
export const noReplica = (subject: string): GatewayError =>
  unavailable(`No replica of ${processOf(serviceName(subject))} answers. Try again shortly.`);

export const disconnected = (): GatewayError =>
  unavailable('Our services are not connected to NATS. Try again shortly.');

export const peerLost = (): GatewayError =>
  unavailable('The connection to the service that was handling this request was lost. Try again.');

export const answerLost = (): GatewayError =>
  unavailable('The answer was lost while our services reconnected. Try again.');

export const shuttingDown = (): GatewayError =>
  unavailable('The service that was handling this request is shutting down. Try again.');

export const saturated = (): GatewayError =>
  new GatewayError('overloaded', 'We are at capacity right now. Try again in a second.', { retryAfterMs: 1000 });

export const requestHeadTooLarge = (limit: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The headers of this request and the permissions of its key exceed ${limit} bytes together. Shorten them.`,
  );

export const responseHeadTooLarge = (): GatewayError =>
  new GatewayError('internal_error', 'A service returned a response with too many headers.');
