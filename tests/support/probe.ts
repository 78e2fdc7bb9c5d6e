import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { get } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { patient } from './patience.ts';

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

/** What never ends: a wait that takes longer on a quiet machine has failed. */
const hungAfterMs = 60_000;
const usualPauseMs = 15;

/** Polls until the condition is true; throws an error with `what` if it never becomes true. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { deadlineMs = hungAfterMs, everyMs = usualPauseMs } = {},
): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    // Measured when time seems to be over: the machine may have become busy in the meantime.
    if (performance.now() - startedAt > deadlineMs && performance.now() - startedAt > patient(deadlineMs))
      throw new Error(`Waited ${Math.round(performance.now() - startedAt)} ms without success: ${what}.`);
    await delay(everyMs);
  }
}

/** Polls until `find` returns something, and resolves with it. */
export async function untilFound<Found>(find: () => Found | Promise<Found>): Promise<NonNullable<Found>> {
  let found: Found | undefined;
  await waitUntil('something to be found', async () => Boolean((found = await find())));
  return found as NonNullable<Found>;
}

/** Polls until `check` throws nothing, and resolves with what it returns; rejects with its last error if it never does. */
export async function untilPasses<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  let outcome: { result: Result } | undefined;
  let problem: unknown;
  const passes = async () => {
    try {
      outcome = { result: await check() };
    } catch (error) {
      problem = error;
    }
    return outcome !== undefined;
  };
  await waitUntil('a check to pass', passes).catch(() => Promise.reject(problem));
  return outcome!.result;
}
