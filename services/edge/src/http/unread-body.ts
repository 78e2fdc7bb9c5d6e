import type { IncomingMessage, ServerResponse } from 'node:http';

/** The Content-Length of the body; `undefined` if it is chunked, zero if there is none. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const declared = headers['content-length'];
  if (declared !== undefined) return Number(declared);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

/** A smaller unread body is discarded, which is cheaper than a new connection. */
export const forgettableBytes = 64 * 1024;

/**
 * Closes the connection after the response if the body is not read: it might never end. A body of up to `upTo` bytes is
 * discarded instead. Call it before writing the head.
 */
export function closeAfterUnread(request: IncomingMessage, response: ServerResponse, upTo = 0): void {
  if (request.complete) return;
  if ((declaredLength(request) ?? Number.POSITIVE_INFINITY) > upTo) response.setHeader('connection', 'close');
  else discardBody(request);
}

/** Reads the rest of a body and drops it, also if a reader has stopped in the middle of it. */
export function discardBody(request: IncomingMessage): void {
  request.unpipe();
  request.removeAllListeners('data');
  // Node stops the flow of a stream whose last `readable` listener is removed, also if there was none.
  if (request.listenerCount('readable') > 0) request.removeAllListeners('readable');
  request.resume();
}
