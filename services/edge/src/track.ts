import type { IncomingMessage, ServerResponse } from 'node:http';
import { toGatewayError } from '@tallyport/contracts';
import { continueTrace, formatTraceparent, pooledRandomHex, type Span, type Tracing } from '@tallyport/service-kit';
import type { EdgeEvents } from './events.ts';
import { requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import type { RequestContext, RelayOutcome } from './request-context.ts';
import type { HotRoute } from './server.ts';

export interface Tracker {
  /** Gives each request an id and reports its outcome exactly once, also after an error. */
  track(route: string, answer: Answer): HotRoute;
}

interface TrackerTools {
  events: EdgeEvents;
  nextId(): string;
  tracing: Tracing | undefined;
}

export function createTracker({ events, nextId, tracing }: TrackerTools): Tracker {
  const random = pooledRandomHex();

  async function run(route: string, context: RequestContext, answer: Answer): Promise<RelayOutcome> {
    const startedAt = performance.now();
    const { request, requestId } = context;
    events.requestStarted();
    let outcome: RelayOutcome;
    try {
      outcome = await answer(context);
    } catch (thrown) {
      outcome = answerFailure(context, thrown);
    }
    const { status, error } = outcome;
    const durationMs = performance.now() - startedAt;
    events.requestFinished({ requestId, route, method: request.method ?? '', status, durationMs, error });
    return outcome;
  }

  return {
    track: (route, answer) => (request: IncomingMessage, response: ServerResponse, query: string) => {
      const requestId = requestIdOf(request.headers['x-request-id'], nextId);
      const parent = singleHeader(request.headers.traceparent);
      const span = tracing && beginSpan(tracing, { route, request, requestId, parent });
      const traceparent = span?.traceparent ?? formatTraceparent(continueTrace(parent, random));
      const context = { request, response, requestId, query, traceparent };
      if (tracing === undefined || span === undefined) return void run(route, context, answer);
      void tracing.within(span, () => run(route, context, answer)).then((outcome) => endSpan(span, outcome));
    },
  };
}

type Answer = (context: RequestContext) => Promise<RelayOutcome>;

interface TrackedRequest extends Pick<RequestContext, 'request' | 'requestId'> {
  route: string;
  parent: string | undefined;
}

function beginSpan(tracing: Tracing, { route, request: { method }, requestId, parent }: TrackedRequest): Span {
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
