import type { IncomingMessage, ServerResponse } from 'node:http';
import { toGatewayError } from '@tallyport/contracts';
import { continueTrace, formatTraceparent, pooledRandomHex, type Span, type Tracing } from '@tallyport/service-kit';
import type { EdgeEvents } from './events.ts';
import { requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import type { TrackedRequest, RequestContext, RelayOutcome } from './request-context.ts';
import type { HotRoute } from './server.ts';
import type { SocketRoute, Upgrade } from './http/upgrade.ts';

export interface Tracker {
  /** Gives each request an id and reports its outcome exactly once, also after an error. */
  track(route: string, answer: Answer): HotRoute;
  /** The same for a request that opens a socket. `answer` never rejects. */
  trackUpgrade(route: string, answer: AnswerUpgrade): SocketRoute;
  /** The same for a request that is a message on a socket. `serve` never rejects. */
  trackMessage(message: MessageRequest, serve: (arrived: TrackedRequest) => Promise<RelayOutcome>): Promise<void>;
}

interface MessageRequest {
  route: string;
  /** The method of the same request without a socket. */
  method: string;
  /** The request that opened the socket. */
  request: IncomingMessage;
}

interface TrackerTools {
  events: EdgeEvents;
  nextId(): string;
  tracing: Tracing | undefined;
}

export function createTracker({ events, nextId, tracing }: TrackerTools): Tracker {
  const random = pooledRandomHex();

  async function counted(named: NamedRequest, serve: () => Promise<RelayOutcome>): Promise<RelayOutcome> {
    const startedAt = performance.now();
    events.requestStarted();
    const outcome = await serve();
    const { status, error } = outcome;
    const durationMs = performance.now() - startedAt;
    const { requestId, route, method } = named;
    events.requestFinished({ requestId, route, method, status, durationMs, error });
    return outcome;
  }

  async function traced(
    named: NamedRequest & Pick<MessageRequest, 'request'>,
    serve: (traceparent: string) => Promise<RelayOutcome>,
  ): Promise<void> {
    const parent = singleHeader(named.request.headers.traceparent);
    if (tracing === undefined) {
      await counted(named, () => serve(formatTraceparent(continueTrace(parent, random))));
      return;
    }
    const span = beginSpan(tracing, { ...named, parent });
    const outcome = await tracing.within(span, () => counted(named, () => serve(span.traceparent)));
    endSpan(span, outcome);
  }

  return {
    track: (route, answer) => (request: IncomingMessage, response: ServerResponse, query: string) => {
      const requestId = requestIdOf(request.headers['x-request-id'], nextId);
      const named = { route, method: request.method ?? '', requestId, request };
      void traced(named, async (traceparent) => {
        const context = { request, response, requestId, query, traceparent };
        try {
          return await answer(context);
        } catch (thrown) {
          return answerFailure(context, thrown);
        }
      });
    },
    trackUpgrade: (route, answer) => (request, upgrade, query) => {
      const requestId = requestIdOf(request.headers['x-request-id'], nextId);
      const named = { route, method: request.method ?? '', requestId, request };
      void traced(named, (traceparent) => answer({ request, requestId, query, traceparent }, upgrade));
    },
    async trackMessage({ route, method, request }, serve) {
      const requestId = nextId();
      await traced({ route, method, requestId, request }, (traceparent) =>
        serve({ request, requestId, query: '', traceparent }),
      );
    },
  };
}

type Answer = (context: RequestContext) => Promise<RelayOutcome>;

type AnswerUpgrade = (arrived: TrackedRequest, upgrade: Upgrade) => Promise<RelayOutcome>;

interface NamedRequest {
  route: string;
  method: string;
  requestId: string;
}

interface TracedRequest extends NamedRequest {
  parent: string | undefined;
}

function beginSpan(tracing: Tracing, { route, method, requestId, parent }: TracedRequest): Span {
  const attributes = { 'http.request.method': method, 'http.route': route, 'tallyport.request_id': requestId };
  return tracing.begin(`${method} ${route}`, { kind: 'server', attributes, parent });
}

/** A client's mistake is not an error of the span. */
function endSpan(span: Span, { status, error }: RelayOutcome): void {
  const attributes = { 'http.response.status_code': status };
  span.end({ attributes, error: status < 500 ? undefined : (error?.code ?? String(status)) });
}

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function answerFailure({ response, requestId }: RequestContext, thrown: unknown): RelayOutcome {
  const error = toGatewayError(thrown);
  if (response.headersSent) response.destroy();
  else sendError(response, error, { requestId });
  return { status: error.status, error };
}
