import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '@tallyport/contracts';

/** Whether the client has disconnected. Check it after every await: a `close` event that has passed is not repeated. */
export function hasLeft(request: IncomingMessage): boolean {
  // Node removes the socket from a request that was aborted.
  const { socket }: { socket: Socket | null } = request;
  return socket?.destroyed ?? false;
}

/** Throws `client_closed_request` if the client has disconnected. */
export function refuseIfLeft(request: IncomingMessage): void {
  if (hasLeft(request)) throw clientLeft();
}

export const clientLeft = (cause?: unknown): GatewayError =>
  new GatewayError('client_closed_request', 'The client closed the connection.', { cause });
