import type { IncomingMessage, ServerResponse } from 'node:http';
import { toGatewayError } from '@switchyard/contracts';
import type { EdgeEvents } from './events.ts';
import { requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import type { Outcome, Passage } from './relay/relay.ts';
import type { HotRoute } from './server.ts';

export interface Tracker {
  /** Gives a request its id and tells how it ended, once, whatever happens in between. */
  track(route: string, answer: (passage: Passage) => Promise<Outcome>): HotRoute;
}

export function createTracker(events: EdgeEvents, nextId: () => string): Tracker {
  async function run(route: string, passage: Passage, answer: (passage: Passage) => Promise<Outcome>): Promise<void> {
    const startedAt = performance.now();
    const { request, requestId } = passage;
    events.requestStarted();
    const { status, error } = await answer(passage).catch((thrown: unknown) => failed(passage, thrown));
    const durationMs = performance.now() - startedAt;
    events.requestFinished({ requestId, route, method: request.method ?? '', status, durationMs, error });
  }

  return {
    track: (route, answer) => (request: IncomingMessage, response: ServerResponse, query: string) => {
      const requestId = requestIdOf(request.headers['x-request-id'], nextId);
      void run(route, { request, response, requestId, query }, answer);
    },
  };
}

function failed({ response, requestId }: Passage, thrown: unknown): Outcome {
  const error = toGatewayError(thrown);
  if (response.headersSent) response.destroy();
  else sendError(response, error, requestId);
  return { status: error.status, error };
}
