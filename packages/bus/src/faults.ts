import { GatewayError } from '@switchyard/contracts';

export const callerLeft = (): GatewayError => new GatewayError('client_closed_request', 'The caller left.');

export const deadlinePassed = (): GatewayError =>
  new GatewayError(
    'deadline_exceeded',
    'The answer took longer than this request may take. Try again, or ask for less.',
    {
      domain: 'gateway',
    },
  );

const unavailable = (message: string): GatewayError => new GatewayError('unavailable', message, { retryAfterMs: 1000 });

export const noReplica = (): GatewayError =>
  unavailable('No replica of the service that answers this is running. Try again shortly.');

export const disconnected = (): GatewayError =>
  unavailable('The connection between our services is down. Try again shortly.');

export const peerLost = (): GatewayError =>
  unavailable('The service that worked on this request went away. Try again.');

export const answerLost = (): GatewayError =>
  unavailable('The answer was lost while the connection between our services came back. Try again.');

export const shuttingDown = (): GatewayError =>
  unavailable('The service that worked on this request is shutting down. Try again.');

export const saturated = (): GatewayError =>
  new GatewayError('overloaded', 'We are at capacity right now. Try again in a second.', { retryAfterMs: 1000 });

/** A replica had no room: the exchange may be tried once on another. Never leaves the bus. */
export class ReplicaRefusal extends Error {
  readonly error: GatewayError;
  readonly by: string;

  constructor(error: GatewayError, by: string) {
    super(error.message);
    this.error = error;
    this.by = by;
  }
}
