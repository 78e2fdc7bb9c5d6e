import type { Server } from 'node:http';
import { GatewayError } from '@switchyard/contracts';
import { stopServer } from '@switchyard/service-kit';
import type { RunningRequests } from './relay/running-requests.ts';

/** Waits until nothing runs, at most until the deadline; shortly before it what is left ends with an error. */
export async function drainServer(server: Server, deadlineMs: number, running: RunningRequests): Promise<void> {
  const ending = setTimeout(() => running.endAll(shuttingDown()), Math.max(0, deadlineMs - 1_000));
  await stopServer(server, deadlineMs);
  clearTimeout(ending);
}

const shuttingDown = (): GatewayError =>
  new GatewayError('unavailable', 'This server is shutting down. Send the request again.', { retryAfterMs: 1000 });
