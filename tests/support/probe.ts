import { randomInt } from 'node:crypto';
import { get } from 'node:http';
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

/**
 * Whether a GET returns 200 within `deadlineMs`. For polling: a refused connection costs `fetch` ten milliseconds of
 * processor time in a test, because it makes several errors with stack traces.
 */
export function answersOk(url: string, deadlineMs = 3_000): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(url, { agent: false, signal: AbortSignal.timeout(deadlineMs) }, (response) => {
      response.destroy();
      resolve(response.statusCode === 200);
    });
    asked.once('error', () => resolve(false));
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
