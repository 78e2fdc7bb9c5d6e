import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
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
/** Never closed: a port stays claimed while its server is not started yet, or restarts. */
const claims = new Set<Socket>();

/** Returns a loopback port that no other caller of this function has, in any process of this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portRange.from, portRange.to);
    if ((await claim(port)) && (await canListen(port))) return port;
  }
}

/** Claims a port by the UDP socket of the same number, which no server here uses and the system frees with the process. */
function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve) => {
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind(port, '127.0.0.1', () => {
      claims.add(socket);
      resolve(true);
    });
  });
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
