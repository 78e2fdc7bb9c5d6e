import { once } from 'node:events';
import type { Server } from 'node:http';

/** Resolves with the address when the server takes connections. Rejects with the system's error, such as EADDRINUSE. */
export async function listen(server: Server, where: { host: string; port: number }): Promise<string> {
  server.listen(where.port, where.host);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

/** Takes no new connections, waits for running answers until the deadline, then closes what is left. */
export async function stopServer(server: Server, deadlineMs: number): Promise<void> {
  if (!server.listening) return;
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  try {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  } finally {
    clearTimeout(timer);
  }
}
