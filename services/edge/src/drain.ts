import type { Server } from 'node:http';

const lookEveryMs = 50;

/** Takes no new connections and waits until nothing runs, at most until the deadline; then `endRest` tells what is left. */
export async function drainServer(server: Server, deadlineMs: number, endRest: () => void): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const looking = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  const telling = setTimeout(endRest, Math.max(0, deadlineMs - 1_000));
  const ending = setTimeout(() => server.closeAllConnections(), deadlineMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(looking);
  clearTimeout(telling);
  clearTimeout(ending);
}
