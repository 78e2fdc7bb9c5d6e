import type { Server } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import { stopServer } from '@tallyport/service-kit';
import type { RunningRequests } from './relay/running-requests.ts';

/**
 * Waits until all requests have finished, at most until the deadline. Requests still running one second before it end
 * with an error.
 */
export async function drainServer(server: Server, deadlineMs: number, running: RunningRequests): Promise<void> {
  const ending = setTimeout(() => running.endAll(shuttingDown()), Math.max(0, deadlineMs - 1_000));
  await stopServer(server, deadlineMs);
  clearTimeout(ending);
}

const shuttingDown = (): GatewayError =>
  new GatewayError('unavailable', 'This server is shutting down. Send the request again.', { retryAfterMs: 1000 });
