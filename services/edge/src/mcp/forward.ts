import { Agent, type ClientRequest, type IncomingMessage, request as ask, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Targets } from '../proxy/targets.ts';
import { unreachable } from '../proxy/unreachable.ts';
import { bodyWriter, latin1 } from '../relay/body-writer.ts';
import type { RequestContext, RequestOutcome } from '../request-context.ts';
import { backHeaders, onwardHeaders } from './headers.ts';
import { refuseMcp } from './refuse.ts';
import { wholeIfSmall } from './whole-if-small.ts';

export interface ForwardOptions {
  targets: Targets;
  publicUrl(request: IncomingMessage): URL;
}

const clientClosedRequest = 499;

/**
 * Hands requests on to one of mcp-svc's replicas, any of which can answer any request. Nearly all questions and answers
 * are small: those are taken whole, so that each leaves in one write with its head. Pipes cost twice as much.
 */
export function createForward({ targets, publicUrl }: ForwardOptions) {
  // A finite number of sockets and long streams make an endpoint that never answers again.
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  return async (
    { request, response }: RequestContext,
    told: Readonly<Record<string, string>>,
  ): Promise<RequestOutcome> => {
    let target: string | undefined;
    try {
      const body = await wholeIfSmall(request);
      target = await targets.next();
      const headers = onwardHeaders(request, { publicUrl: publicUrl(request), told });
      const asked = ask(new URL(request.url ?? '/', target), { agent, method: request.method, headers });
      response.once('close', () => {
        if (!response.writableFinished) asked.destroy();
      });
      if (body) asked.end(latin1(body), 'latin1');
      else request.pipe(asked);
      await passBack(await answerTo(asked), response);
      return { status: response.statusCode };
    } catch (cause) {
      if (response.headersSent) return { status: response.statusCode };
      if (response.destroyed) return { status: clientClosedRequest };
      if (target !== undefined) targets.suspect(target);
      const error = unreachable(cause);
      refuseMcp(response, error);
      return { status: error.status, error };
    }
  };
}

function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    // It stays: a question that breaks off after its answer has begun is no news.
    asked.on('error', reject);
  });
}

async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await wholeIfSmall(answer);
  response.writeHead(answer.statusCode ?? 502, backHeaders(answer));
  if (body) return bodyWriter(response).end(body);
  // Those of a quiet event stream would wait for its first byte.
  response.flushHeaders();
  await pipeline(answer, response);
}
