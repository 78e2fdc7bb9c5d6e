import { Agent, type ClientRequest, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import { GatewayError } from '@tallyport/contracts';
import { hasLeft, refuseIfLeft } from '../http/has-left.ts';
import { bodyWriter, joinLimit, latin1 } from '../relay/body-writer.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import { type Compression, compressionFor } from './compression.ts';
import { headersBack, headersOnward } from './headers.ts';
import type { ProxyTargets } from './targets.ts';
import { wholeIfSmall } from './whole-if-small.ts';

export interface ForwardOptions {
  targets: ProxyTargets;
  /** The public address. It overwrites the client's X-ForwardedRequest-* headers. */
  publicUrl(request: IncomingMessage): URL;
  /** Client headers that the service must not see. */
  withheld?: readonly string[];
  /** How long the service may send nothing, even if it answers health checks. */
  silenceMs: number;
  /** Whether to compress responses for clients that accept it. */
  compresses?: boolean;
  /** The response if the service gives none. */
  unreachable: { status: number; message: string; send(response: ServerResponse, error: GatewayError): void };
}

/** What is forwarded: the whole body, and headers in addition to the client's. */
export interface ForwardedRequest {
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
}

/** Forwards a request. Resolves when the response has ended, successfully or not; never rejects. */
export type Forward = (exchange: ProxiedExchange, forwarded: ForwardedRequest) => Promise<RelayOutcome>;

type ProxiedExchange = Pick<RequestContext, 'request' | 'response'>;

const clientClosedRequest = 499;

/**
 * Forwards requests to the replicas of a service; any replica can serve any request. The body is complete before the
 * service sees the request, so no service waits for a client's upload. Nearly all responses are small: those are read
 * whole, so that head and body leave in one write.
 */
export function createForward(options: ForwardOptions): Forward {
  const { targets, unreachable } = options;
  // With a limit on sockets, long streams would block the endpoint.
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  async function attempt({ request, response }: ProxiedExchange, { body, headers }: ForwardedRequest): Promise<void> {
    const target = await targets.next();
    refuseIfLeft(request);
    const outgoing = openRequest(request, { ...options, agent, target, headers, bodyLength: body.length });
    const unwatch = targets.watch(target, () => outgoing.destroy(new Error('The replica is not responding.')));
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    try {
      if (body.length > joinLimit) outgoing.end(body);
      else outgoing.end(latin1(body), 'latin1');
      const answer = await answerTo(outgoing);
      const compression = options.compresses ? compressionFor(request, answer) : undefined;
      await (compression ? passBackCompressed(answer, response, compression) : passBack(answer, response));
    } catch (cause) {
      if (!response.destroyed) targets.suspect(target);
      throw cause;
    } finally {
      unwatch();
    }
  }

  /**
   * A stopping replica may close a connection just as it is reused. A request that it has not begun is retried once, on
   * another replica.
   */
  async function attemptWithRetry(exchange: ProxiedExchange, forwarded: ForwardedRequest): Promise<void> {
    try {
      await attempt(exchange, forwarded);
    } catch (cause) {
      if (exchange.response.headersSent || !mayRepeat(exchange.request, cause)) throw cause;
      await attempt(exchange, forwarded);
    }
  }

  return async (exchange, forwarded) => {
    const { request, response } = exchange;
    try {
      await attemptWithRetry(exchange, forwarded);
      return { status: response.statusCode };
    } catch (cause) {
      if (response.headersSent) return { status: response.statusCode };
      if (response.destroyed || hasLeft(request)) return { status: clientClosedRequest };
      const { status, message } = unreachable;
      const error = new GatewayError('unavailable', message, { cause, status, retryAfterMs: 1000 });
      unreachable.send(response, error);
      return { status: error.status, error };
    }
  };
}

/** Safe to repeat if no connection was made, or if a read-only request lost its connection. */
function mayRepeat({ method }: IncomingMessage, cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ECONNREFUSED') return true;
  return code === 'ECONNRESET' && (method === 'GET' || method === 'HEAD');
}

interface OutgoingRequest extends Pick<ForwardOptions, 'publicUrl' | 'withheld' | 'silenceMs'> {
  agent: Agent;
  target: string;
  headers: Readonly<Record<string, string>>;
  bodyLength: number;
}

/** Forwards the path exactly as the client wrote it: resolved as a URL, it could name another host. */
function openRequest(request: IncomingMessage, outgoing: OutgoingRequest): ClientRequest {
  const { agent, target, silenceMs, bodyLength } = outgoing;
  const headers = headersOnward(request, {
    publicUrl: outgoing.publicUrl(request),
    added: outgoing.headers,
    withheld: outgoing.withheld,
    bodyLength,
  });
  const { method, url: path } = request;
  const sent = send({ ...urlToHttpOptions(new URL(target)), agent, method, path, headers });
  sent.setTimeout(silenceMs, () => sent.destroy(new Error('The service sent nothing in time.')));
  return sent;
}

function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // The listener stays: an error after the response has begun must not be unhandled.
    outgoing.on('error', reject);
  });
}

async function passBackCompressed(
  answer: IncomingMessage,
  response: ServerResponse,
  { encoding, stream }: Compression,
): Promise<void> {
  const { 'content-length': _length, ...headers } = headersBack(answer);
  response.writeHead(answer.statusCode ?? 502, { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' });
  await pipeline(answer, stream, response);
}

async function passBack(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await wholeIfSmall(answer);
  response.writeHead(answer.statusCode ?? 502, headersBack(answer));
  if (body) return bodyWriter(response).end(body);
  // Otherwise the headers of a quiet event stream would wait for its first byte.
  response.flushHeaders();
  await pipeline(answer, response);
}
