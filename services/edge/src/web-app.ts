import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError, toGatewayError } from '@tallyport/contracts';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { EdgeEvents } from './events.ts';
import { assetPaths } from './http/assets.ts';
import { answerPreflight } from './http/cors.ts';
import { namesOneHost } from './http/one-host.ts';
import { requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import { closeAfterUnread } from './http/unread-body.ts';
import type { WebRoute } from './http/web-route.ts';
import { referencePaths } from './reference/reference.ts';
import type { RelayedRoute } from './routes.ts';
import { answerWrongAddress } from './wrong-address/answer-wrong-address.ts';
import { createWrongAddresses } from './wrong-address/wrong-addresses.ts';

/** The route label of this app's requests. Their paths are chosen by clients, so they are not labels. */
export const webRoute = 'web';

interface WebAppOptions {
  /** The methods of a path that is served before this app: only requests with a wrong method get here. */
  methodsOf(path: string): readonly string[] | undefined;
  /** Whether a path can be opened as a WebSocket. */
  hasSocket(path: string): boolean;
  /** The routes of the API, to suggest one for a wrong address. */
  relayed: readonly RelayedRoute[];
  /** Routes of other services. They read their request bodies themselves. */
  forwarded: readonly WebRoute[];
  /** Further routes of edge itself. */
  routes: readonly WebRoute[];
  /** The address under which a client reaches this gateway. */
  publicUrl(request: IncomingMessage): URL;
  nextId(): string;
  events: EdgeEvents;
}

/** Serves everything off the hot path: the API reference, the files of pages, paths of other services, preflights, and invalid requests. */
export function webApp(options: WebAppOptions): Express {
  const { methodsOf, hasSocket, relayed, forwarded, routes, publicUrl, nextId, events } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((request, response, next) => {
    const requestId = requestIdOf(request.headers['x-request-id'], nextId);
    response.setHeader('x-request-id', requestId);
    follow(request, response, { events, requestId });
    next();
  });
  app.use((request, response, next) => {
    if (namesOneHost(request)) return next();
    response.setHeader('connection', 'close');
    return refuse(response, twoHosts);
  });
  for (const { path, handler } of forwarded) app.all(path, handler);
  app.use((request, response, next) => {
    closeAfterUnread(request, response);
    next();
  });
  const compressed = compression();
  for (const { path, handler } of assetPaths()) app.get(path, compressed, handler);
  const reference = referencePaths((request) => publicUrl(request).origin);
  for (const { path, handler } of reference) app.all(path, compressed, handler);
  for (const { path, handler } of routes) app.all(path, handler);
  const paths = [...forwarded, ...reference, ...routes].map(({ path }) => path);
  const addresses = createWrongAddresses({ relayed, paths });
  app.use((request, response) => {
    const methods = methodsOf(request.path);
    // A refused preflight would hide the 404 from the calling page.
    if (request.method === 'OPTIONS') return answerPreflight(response, methods ?? anyMethod);
    return answerWrongAddress(request, response, { methods, hasSocket: hasSocket(request.path), addresses });
  });
  app.use(onError);
  return app;
}

/** Counts and logs each request when its response closes. */
function follow(
  request: IncomingMessage,
  response: ServerResponse,
  { events, requestId }: { events: EdgeEvents; requestId: string },
): void {
  const startedAt = performance.now();
  events.requestStarted();
  response.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : clientClosedRequest;
    events.requestFinished({ requestId, route: webRoute, method: request.method ?? '', status, durationMs });
  });
}

const twoHosts = new GatewayError('invalid_parameters', 'The request has several Host headers. Send one.');

const clientClosedRequest = 499;

const refuse = (response: ServerResponse, error: GatewayError): void =>
  sendError(response, error, { requestId: String(response.getHeader('x-request-id')) });

// oxlint-disable-next-line max-params -- express knows an error handler by its four parameters
const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
  if (response.headersSent) response.destroy();
  else refuse(response, clientFault(thrown) ?? toGatewayError(thrown));
};

const anyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** express sets `status` on errors that the client caused, such as a path that cannot be decoded. */
function clientFault(thrown: unknown): GatewayError | undefined {
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  if (status < 400 || status > 499) return undefined;
  return new GatewayError('invalid_parameters', 'The request cannot be read. Check its path.', {
    status,
    cause: thrown,
  });
}
