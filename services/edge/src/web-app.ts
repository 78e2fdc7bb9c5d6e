import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError, toGatewayError } from '@switchyard/contracts';
import express, { type ErrorRequestHandler, type Express, type Request } from 'express';
import type { EdgeEvents } from './events.ts';
import { answerPreflight } from './http/cors.ts';
import { requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import type { WebRoute } from './http/web-route.ts';
import { referencePaths } from './reference/reference.ts';

/** How requests of this app are labelled: their paths are of anyone's choosing. */
export const webRoute = 'web';

export interface WebAppOptions {
  /** The methods of a path that is answered before this app: here it can only be asked wrongly. */
  methodsOf(path: string): readonly string[] | undefined;
  /** What is HTTP by nature: answered here as it is, or by another service. */
  routes: readonly WebRoute[];
  nextId(): string;
  events: EdgeEvents;
}

/** Everything that is not on the hot path: the reference, proxies, preflights, and what is asked wrongly. */
export function webApp({ methodsOf, routes, nextId, events }: WebAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((request, response, next) => {
    const requestId = requestIdOf(request.headers['x-request-id'], nextId);
    response.setHeader('x-request-id', requestId);
    follow(request, response, { events, requestId });
    next();
  });
  for (const { path, handler } of referencePaths()) app.all(path, handler);
  for (const { path, handler } of routes) app.all(path, handler);
  app.use((request, response) => {
    const methods = methodsOf(request.path);
    if (!methods) return refuse(response, notFound(request));
    if (request.method === 'OPTIONS') return answerPreflight(response, methods);
    response.setHeader('allow', methods.join(', '));
    return refuse(response, wrongMethod(request, methods));
  });
  app.use(onError);
  return app;
}

/** Counts and logs what this app or a service behind it answers. */
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

const clientClosedRequest = 499;

const refuse = (response: ServerResponse, error: GatewayError): void =>
  sendError(response, error, String(response.getHeader('x-request-id')));

// oxlint-disable-next-line max-params -- express knows an error handler by its four parameters
const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
  if (response.headersSent) response.destroy();
  else refuse(response, clientFault(thrown) ?? toGatewayError(thrown));
};

const notFound = ({ method, path }: Request): GatewayError =>
  new GatewayError('not_found', `There is nothing at ${method} ${path.slice(0, 200)}. The API lives under /v1.`);

const wrongMethod = ({ method, path }: Request, methods: readonly string[]): GatewayError =>
  new GatewayError('method_not_allowed', `${path} does not take ${method}. Use ${methods.join(' or ')}.`);

/** express marks what the client did wrong (a path that cannot be decoded) with a status. */
function clientFault(thrown: unknown): GatewayError | undefined {
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : 500;
  if (status < 400 || status > 499) return undefined;
  return new GatewayError('invalid_parameters', 'The request cannot be read. Check its path.', {
    status,
    cause: thrown,
  });
}
