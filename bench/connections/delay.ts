import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listeningPort } from '../support/port.ts';

/**
 * Puts a server a round trip away: everything that is sent, ends included, arrives half of it later. The system accepts
 * connections at once, so the first bytes of each wait for the round trip that accepting takes elsewhere. Returns the port.
 */
export async function delay(port: number, roundTripMs: number): Promise<number> {
  const oneWayMs = roundTripMs / 2;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const acceptedAt = performance.now() + roundTripMs;
    pass(near, far, () => oneWayMs + Math.max(0, acceptedAt - performance.now()));
    pass(far, near, () => oneWayMs);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  return listeningPort(server);
}

function pass(from: Socket, to: Socket, delayMs: () => number): void {
  // Timers of different lengths may change places, but what they do may not.
  const waiting: (() => void)[] = [];
  const later = (act: () => void): void => {
    waiting.push(act);
    setTimeout(() => waiting.shift()?.(), delayMs());
  };
  from.on('data', (bytes: Buffer) => later(() => void to.write(bytes)));
  from.on('end', () => {
    later(() => void to.end());
    // A server that is gone resets what still arrives, and the system reports that only to a further write.
    const looking = setInterval(() => from.write(''), 5);
    from.once('close', () => clearInterval(looking));
  });
  from.on('error', () => undefined);
  from.on('close', (hadError) => {
    // Not in the same moment as an end, which it would overtake.
    if (hadError) later(() => void setTimeout(() => to.resetAndDestroy(), 2));
    else later(() => void to.destroySoon());
  });
}
