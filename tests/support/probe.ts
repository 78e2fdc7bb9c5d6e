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

/** A loopback port that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
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
