import type { Socket } from 'node:net';

/** The shortest round trip to a server that was measured; infinity before that. */
export interface RoundTrip {
  shortestMs: number;
}

/** A handshake of TLS takes one round trip or two. */
const mostRoundTripsOfTls = 2;

/**
 * Measures a round trip while the socket connects. Only time in which the event loop was idle counts: a busy loop would
 * notice the end late, and the result must not be longer than the round trip. The handshake of TLS is considered too,
 * because a proxy on the way may accept the connection before the server does.
 */
export function measureRoundTrip(socket: Socket, trip: RoundTrip, { isSecure }: { isSecure: boolean }): void {
  let startedAt = idleTime();
  let connectedAt = startedAt;
  const record = (roundTripMs: number): void => {
    trip.shortestMs = Math.min(trip.shortestMs, roundTripMs);
  };
  // Emitted for each address that is tried, after names have been resolved.
  socket.on('connectionAttempt', () => {
    startedAt = idleTime();
  });
  socket.once('connect', () => {
    connectedAt = idleTime();
    if (!isSecure) record(connectedAt - startedAt);
  });
  socket.once('secureConnect', () => {
    record(Math.max(connectedAt - startedAt, (idleTime() - connectedAt) / mostRoundTripsOfTls));
  });
}

const idleTime = (): number => performance.eventLoopUtilization().idle;
