import { GatewayError } from '@switchyard/contracts';

export const unreachable = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', 'The service behind this path does not answer. Try again shortly.', {
    cause,
    status: 502,
    retryAfterMs: 1000,
  });

export const shuttingDown = (): GatewayError =>
  new GatewayError('unavailable', 'This server is shutting down. Send the request again.', { retryAfterMs: 1000 });
