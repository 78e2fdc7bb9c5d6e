import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { namesOneHost } from './http/one-host.ts';
import { answerClientErrors } from './http/client-error.ts';
import type { RunningUploads } from './http/running-uploads.ts';
import { cutHalfClosed } from './http/half-closed.ts';
import { type LingerBounds, LingeringClose } from './http/lingering-close.ts';
import { asksForSocket, type SocketRoute } from './http/upgrade.ts';

export interface HotRoute {
  (request: IncomingMessage, response: ServerResponse, query: string): void;
}

/** A route of all paths with this start and end, and something between them. */
export interface OpenRoute {
  method: 'GET' | 'POST' | 'DELETE';
  start: string;
  /** Between two open parts; empty if there is one. */
  middle: string;
  end: string;
  route: HotRoute;
}

export interface EdgeServerOptions {
  /** Routes by path and method, served without the web app. */
  hotRoutes: ReadonlyMap<string, ReadonlyMap<string, HotRoute>>;
  /** Routes with an open part in their path, tried in order if no full path matches. */
  openRoutes: readonly OpenRoute[];
  /** Paths that can be opened as a WebSocket. */
  socketRoutes: ReadonlyMap<string, SocketRoute>;
  /** Handles all other requests. */
  otherwise(request: IncomingMessage, response: ServerResponse): void;
  uploadTimeoutMs: number;
  uploads: Pick<RunningUploads, 'has'>;
  /** The usual ones if absent. */
  linger?: LingerBounds | undefined;
}

const maxHeaderBytes = 16 * 1024;
const headersTimeoutMs = 15_000;
/**
 * Longer than the idle timeout of load balancers in front of edge, so that they close first and never lose a request.
 */
const keepAliveMs = 75_000;

/**
 * Creates the public server. A routed request costs 14 µs on a bare Node server and 82 µs with express, so the few hot
 * paths are looked up in a map and express serves the rest.
 */
export function edgeServer(options: EdgeServerOptions): Server {
  const { hotRoutes, openRoutes, socketRoutes, otherwise, uploadTimeoutMs, uploads, linger } = options;
  const socketRouteOf = (request: IncomingMessage): SocketRoute | undefined =>
    asksForSocket(request) && namesOneHost(request) ? socketRoutes.get(splitUrl(request).path) : undefined;
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: uploadTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, uploadTimeoutMs),
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(5_000, uploadTimeoutMs),
      noDelay: true,
      shouldUpgradeCallback: (request) => socketRouteOf(request) !== undefined,
    },
    (request, response) => {
      if (!closing.accepts(request)) return;
      const { path, query } = splitUrl(request);
      const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
      const found = hotRoutes.get(path)?.get(method) ?? findOpen(openRoutes, { method, path });
      const route = namesOneHost(request) ? found : undefined;
      if (route) route(request, response, query);
      else otherwise(request, response);
    },
  );
  cutHalfClosed(server);
  const closing = new LingeringClose(server, linger);
  server.on('clientError', answerClientErrors(closing, uploads));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const route = socketRouteOf(request);
    // Node reports errors of the connection to no one else now.
    socket.on('error', () => socket.destroy());
    if (route === undefined || !(socket instanceof Socket) || !closing.accepts(request)) return void socket.destroy();
    return route(request, { socket, head }, splitUrl(request).query);
  });
  return server;
}

function splitUrl({ url = '/' }: IncomingMessage): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function findOpen(
  routes: readonly OpenRoute[],
  { method, path }: { method: string; path: string },
): HotRoute | undefined {
  return routes.find((route) => route.method === method && matchesOpen(route, path))?.route;
}

export function matchesOpen({ start, middle, end }: OpenRoute, path: string): boolean {
  if (path.length <= start.length + middle.length + end.length) return false;
  if (!path.startsWith(start) || !path.endsWith(end)) return false;
  const at = middle === '' ? start.length : path.indexOf(middle, start.length + 1);
  return at >= 0 && at + middle.length < path.length - end.length;
}
