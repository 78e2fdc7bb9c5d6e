import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The open connections of each listening server. */
const connections = new WeakMap<Server, Set<Socket>>();

/**
 * Connections that the system keeps until they are accepted. With Node's 511, the clients that connect while one turn of the
 * event loop runs can be more, and the system lets each further one wait for seconds, or ends it after half a minute.
 */
const mostWaiting = 4_096;

/**
 * Resolves with the address when the server accepts connections. Rejects with the system's error, for example
 * EADDRINUSE.
 */
export async function listen(server: Server, where: { host: string; port: number }): Promise<string> {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.listen({ ...where, backlog: mostWaiting });
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

/** Accepts no new connections, waits for running answers until the deadline, then closes all connections. */
export async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  if (!server.listening) return;
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs);
  try {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    closeSilent(server);
    await closed;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Closes connections without a request. Clients open them in advance, and Node would wait for them as if they were
 * busy.
 */
function closeSilent(server: Server): void {
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/**
 * How long clients with a kept-alive connection may send one more request. After this, a quiet connection is closed.
 */
const lastCallMs = 2_000;
const lookEveryMs = 20;

/**
 * The same for servers with kept-alive connections: requests that still arrive are answered with `connection: close`.
 * If a connection were just closed while a request is on its way, the client could not know whether the request was
 * processed.
 */
export async function stopServer(server: Server, deadlineMs: number): Promise<void> {
  if (!server.listening) return;
  const end = performance.now() + deadlineMs;
  const quiet = performance.now() + Math.min(lastCallMs, deadlineMs / 15);
  server.keepAliveTimeout = lastCallMs;
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  while (performance.now() < quiet && (await hasConnections(server))) await pause(lookEveryMs);
  await closeServer(server, end - performance.now());
}

const hasConnections = (server: Server): Promise<boolean> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count > 0)));
