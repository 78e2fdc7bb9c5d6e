import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A client that has half-closed its connection and reads nothing for this long (at most twice as long) is gone. */
const halfClosedMs = 2_000;

/** Closes half-closed connections whose clients do not read. Otherwise they stay open until the request's deadline. */
export function cutHalfClosed(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => socket.setTimeout(halfClosedMs));
  });
}
