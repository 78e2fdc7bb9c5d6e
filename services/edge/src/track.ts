import type { IncomingMessage, ServerResponse } from 'node:http';
import { toGatewayError } from '@switchyard/contracts';
import { continueTrace, formatTraceparent, pooledRandomHex, type Tracing } from '@switchyard/service-kit';
import type { EdgeEvents } from './events.ts';
import { requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import type { Outcome, Passage } from './relay/relay.ts';
import type { HotRoute } from './server.ts';

export interface Tracker {
  /** Gives a request its id and tells how it ended, once, whatever happens in between. */
  track(route: string, answer: Answer): HotRoute;
}

export interface TrackerNeeds {
  events: EdgeEvents;
  nextId(): string;
  tracing: Tracing | undefined;
}

export function createTracker({ events, nextId, tracing }: TrackerNeeds): Tracker {
  const random = pooledRandomHex();

  async function run(route: string, passage: Passage, answer: Answer): Promise<Outcome> {
    const startedAt = performance.now();
    const { request, requestId } = passage;
    events.requestStarted();
    const outcome = await answer(passage).catch((thrown: unknown) => failed(passage, thrown));
    const durationMs = performance.now() - startedAt;
    events.requestFinished({ requestId, route, method: request.method ?? '', durationMs, ...outcome });
    return outcome;
  }

  async function runTraced(found: Tracing, route: string, asked: Asked): Promise<Outcome> {
    const { request, requestId } = asked;
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'switchyard.request_id': requestId,
    };
    const parent = singleHeader(request.headers.traceparent);
    const name = `${request.method} ${route}`;
    const span = found.begin(name, { kind: 'server', attributes, parent });
    const outcome = await found.within(span, () =>
      run(route, { ...asked, traceparent: span.traceparent }, asked.answer),
    );
    const { status, error } = outcome;
    span.end({
      attributes: { 'http.response.status_code': status },
      error: status < 500 ? undefined : (error?.code ?? String(status)),
    });
    return outcome;
  }

  return {
    track: (route, answer) => (request: IncomingMessage, response: ServerResponse, query: string) => {
      const requestId = requestIdOf(request.headers['x-request-id'], nextId);
      const asked = { request, response, requestId, query };
      if (tracing !== undefined) return void runTraced(tracing, route, { ...asked, answer });
      const trace = continueTrace(singleHeader(request.headers.traceparent), random);
      void run(route, { ...asked, traceparent: formatTraceparent(trace) }, answer);
    },
  };
}

type Answer = (passage: Passage) => Promise<Outcome>;

interface Asked extends Omit<Passage, 'traceparent'> {
  answer: Answer;
}

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

function failed({ response, requestId }: Passage, thrown: unknown): Outcome {
  const error = toGatewayError(thrown);
  if (response.headersSent) response.destroy();
  else sendError(response, error, requestId);
  return { status: error.status, error };
}
