import { Agent, type ClientRequest, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import { GatewayError } from '@switchyard/contracts';
import { bodyWriter, latin1 } from '../relay/body-writer.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { headersBack, headersOnward } from './headers.ts';
import type { ProxyTargets } from './targets.ts';
import { wholeIfSmall } from './whole-if-small.ts';

export interface ForwardOptions {
  targets: ProxyTargets;
  /** How clients reach us: overwrites whatever they claim in X-Forwarded-*. */
  publicUrl(request: IncomingMessage): URL;
  /** Headers of the client that the service must not see. */
  withheld?: readonly string[];
  /** How long the service may send nothing; absent where it ends what takes too long itself. */
  silenceMs?: number;
  /** The answer when the service does not give one. */
  unreachable: { status: number; message: string; send(response: ServerResponse, error: GatewayError): void };
}

/** Adds these headers to a request and sends it on. Resolves when its answer has ended, however. */
export type Forward = (
  exchange: Pick<RequestContext, 'request' | 'response'>,
  headers: Readonly<Record<string, string>>,
) => Promise<RelayOutcome>;

const clientClosedRequest = 499;

/**
 * Hands requests on to one of a service's replicas, any of which can answer any request. Nearly all requests and answers
 * are small: those are taken whole, so that each leaves in one write with its head. Pipes cost twice as much.
 */
export function createForward(options: ForwardOptions): Forward {
  const { targets, unreachable } = options;
  // A finite number of sockets and long streams make an endpoint that never answers again.
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  return async ({ request, response }, headers) => {
    let target: string | undefined;
    try {
      const body = await wholeIfSmall(request);
      target = await targets.next();
      const outgoing = openRequest(request, { ...options, agent, target, headers, isWhole: body !== undefined });
      response.once('close', () => {
        if (!response.writableFinished) outgoing.destroy();
      });
      if (body) outgoing.end(latin1(body), 'latin1');
      else request.pipe(outgoing);
      await passBack(await answerTo(outgoing), response);
      return { status: response.statusCode };
    } catch (cause) {
      if (response.headersSent) return { status: response.statusCode };
      if (response.destroyed) return { status: clientClosedRequest };
      if (target !== undefined) targets.suspect(target);
      const { status, message } = unreachable;
      const error = new GatewayError('unavailable', message, { cause, status, retryAfterMs: 1000 });
      unreachable.send(response, error);
      return { status: error.status, error };
    }
  };
}

interface OutgoingRequest extends Pick<ForwardOptions, 'publicUrl' | 'withheld' | 'silenceMs'> {
  agent: Agent;
  target: string;
  headers: Readonly<Record<string, string>>;
  isWhole: boolean;
}

/** The path goes on as the client wrote it: resolved as a URL, it could name another host. */
function openRequest(request: IncomingMessage, outgoing: OutgoingRequest): ClientRequest {
  const { agent, target, silenceMs, isWhole } = outgoing;
  const headers = headersOnward(request, {
    publicUrl: outgoing.publicUrl(request),
    added: outgoing.headers,
    withheld: outgoing.withheld,
    isWhole,
  });
  const { method, url: path } = request;
  const sent = send({ ...urlToHttpOptions(new URL(target)), agent, method, path, headers });
  if (silenceMs !== undefined) sent.setTimeout(silenceMs, () => sent.destroy(new Error('The service said nothing.')));
  return sent;
}

function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // It stays: a request that breaks off after its answer has begun changes nothing.
    outgoing.on('error', reject);
  });
}

async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await wholeIfSmall(answer);
  response.writeHead(answer.statusCode ?? 502, headersBack(answer));
  if (body) return bodyWriter(response).end(body);
  // Those of a quiet event stream would wait for its first byte.
  response.flushHeaders();
  await pipeline(answer, response);
}
