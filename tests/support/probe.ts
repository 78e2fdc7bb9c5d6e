import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Opens a connection, sends `say`, and resolves with the first bytes of the answer; `undefined` if none arrive within a
 * second.
 */
export function firstAnswer(host: string, port: number, say?: Uint8Array | string): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (answer?: Buffer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish());
    socket.once('error', () => finish());
    socket.once('close', () => finish());
    socket.once('data', finish);
    if (say !== undefined) socket.write(say);
  });
}

/** Below the range for outgoing connections, so that a port is not used by one in the meantime. */
const portRange = { from: 20_000, to: 32_000 };
const givenPorts = new Set<number>();

/** Returns a free loopback port, each only once. The choice is random, because other processes choose, too. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portRange.from, portRange.to);
    if (givenPorts.has(port) || !(await canListen(port))) continue;
    givenPorts.add(port);
    return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Polls until the condition is true; throws an error with `what` at the deadline. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { deadlineMs = 10_000, everyMs = 15 } = {},
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${deadlineMs} ms without success: ${what}.`);
    await delay(everyMs);
  }
}
