import type { Socket } from 'node:net';

/** The round trip to a server, from what has been measured. */
export interface RoundTrip {
  /** No longer than the real one; 0 until enough was measured. */
  leastMs(): number;
  /** A round trip took at least and at most so long, or at least 0 if that is not known. */
  took(atLeastMs: number, atMostMs: number): void;
}

/** A busy machine wakes a process late, which looks like a longer way. The shortest of so many connections counts. */
const enoughConnections = 3;

export function createRoundTrip(): RoundTrip {
  let longestLeast = 0;
  let shortestMost = Infinity;
  let connections = 0;
  return {
    leastMs: () => (connections < enoughConnections ? 0 : Math.min(longestLeast, shortestMost)),
    took(atLeastMs, atMostMs) {
      if (atLeastMs > 0) connections += 1;
      longestLeast = Math.max(longestLeast, atLeastMs);
      shortestMost = Math.min(shortestMost, atMostMs);
    },
  };
}

/** A handshake of TLS takes one round trip or two. */
const mostRoundTripsOfTls = 2;

/**
 * Measures a round trip while the socket connects. A busy event loop notices late that it is connected, so it took at
 * least the time in which the loop was idle. The handshake of TLS is considered too, because a proxy on the way may
 * accept the connection before the server does.
 */
export function measureRoundTrip(socket: Socket, trip: RoundTrip, { isSecure }: { isSecure: boolean }): void {
  let started = moment();
  let connected = started;
  // Emitted for each address that is tried, after names have been resolved.
  socket.on('connectionAttempt', () => {
    started = moment();
  });
  socket.once('connect', () => {
    connected = moment();
    if (!isSecure) trip.took(connected.idle - started.idle, connected.now - started.now);
  });
  socket.once('secureConnect', () => {
    const { idle, now } = moment();
    trip.took(
      Math.max(connected.idle - started.idle, (idle - connected.idle) / mostRoundTripsOfTls),
      Math.max(connected.now - started.now, now - connected.now),
    );
  });
}

const moment = () => ({ idle: performance.eventLoopUtilization().idle, now: performance.now() });
