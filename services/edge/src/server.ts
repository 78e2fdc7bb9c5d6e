import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerClientError } from './http/client-error.ts';

export interface HotRoute {
  (request: IncomingMessage, response: ServerResponse, query: string): void;
}

export interface EdgeServerOptions {
  /** `GET /v1/models` and the like: answered without passing through the web app. */
  hotRoutes: ReadonlyMap<string, HotRoute>;
  /** `GET /v1/models/` and the like, with something behind it; looked for where no whole path fits. */
  openRoutes: ReadonlyMap<string, HotRoute>;
  /** Everything else. */
  otherwise(request: IncomingMessage, response: ServerResponse): void;
  uploadTimeoutMs: number;
}

const maxHeaderBytes = 16 * 1024;
const headersTimeoutMs = 15_000;
/** Longer than the idle time of the load balancers in front of us, so that they close first and never lose a request. */
const keepAliveMs = 75_000;

/**
 * The public server. A routed request costs a bare Node server 14 µs and express 82, so the few hot paths are found in a
 * map and express has the rest.
 */
export function edgeServer({ hotRoutes, openRoutes, otherwise, uploadTimeoutMs }: EdgeServerOptions): Server {
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: uploadTimeoutMs,
      headersTimeout: Math.min(headersTimeoutMs, uploadTimeoutMs),
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(5_000, uploadTimeoutMs),
      noDelay: true,
    },
    (request, response) => {
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const asked = `${method} ${path}`;
      const route = hotRoutes.get(asked) ?? findOpen(openRoutes, asked);
      if (route) route(request, response, mark < 0 ? '' : url.slice(mark + 1));
      else otherwise(request, response);
    },
  );
  server.on('clientError', answerClientError);
  return server;
}

function findOpen(routes: EdgeServerOptions['openRoutes'], asked: string): HotRoute | undefined {
  for (const [start, route] of routes) if (asked.startsWith(start) && asked.length > start.length) return route;
  return undefined;
}
