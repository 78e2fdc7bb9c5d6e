import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Opens a connection, says something, and resolves with the first bytes of the answer; undefined when none come in time. */
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

/** Below those that systems give to outgoing connections: one of these is not taken between now and its use. */
const portRange = { from: 20_000, to: 32_000 };
const givenPorts = new Set<number>();

/** A loopback port that is free, never the same twice. By chance, since other processes choose as well. */
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

/** Polls until the condition holds; throws with `what` when it does not before the deadline. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { deadlineMs = 10_000, everyMs = 15 } = {},
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}.`);
    await delay(everyMs);
  }
}
