import type { Server } from 'node:http';
import { stopServer } from '@switchyard/service-kit';

/** Waits until nothing runs, at most until the deadline; shortly before it `endRest` tells what is left. */
export async function drainServer(server: Server, deadlineMs: number, endRest: () => void): Promise<void> {
  const telling = setTimeout(endRest, Math.max(0, deadlineMs - 1_000));
  await stopServer(server, deadlineMs);
  clearTimeout(telling);
}
