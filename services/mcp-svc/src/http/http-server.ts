import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  GatewayError,
  internalTokenHeader,
  mcpChallenge,
  readInternalToken,
  toGatewayError,
} from '@switchyard/contracts';
import type { McpEvents } from '../events.ts';
import type { ToolCaller } from '../tools/tool.ts';
import type { McpAnswer } from './answer.ts';
import type { Protocol } from './protocol.ts';
import { type BodyLimits, readMessages, withBody } from './read-messages.ts';
import { rpcError } from './rpc-error.ts';
import type { ScopeCheck } from './scopes.ts';

export interface McpServerOptions {
  protocol: Protocol;
  /** What edge signs with: requests without its word are refused. */
  secrets: readonly string[];
  limits: BodyLimits;
  maxConcurrent: number;
  /** What a plain GET answers: no secrets, no key needed. */
  description: object;
  checkScopes: ScopeCheck;
  events: McpEvents;
}

/** A principal with a long list of allowed models travels in a header. */
const maxHeaderBytes = 64 * 1024;
const receiveTimeoutMs = 120_000;
/** Edge keeps its connections and closes them first. */
const keepAliveMs = 120_000;

/** Serves `/mcp` to edge. */
export function mcpServer(options: McpServerOptions): Server {
  const admit = createAdmission(options.maxConcurrent);
  return createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: receiveTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      noDelay: true,
    },
    (request, response) => {
      answer({ request, response }, options, admit).catch((thrown: unknown) => {
        if (response.destroyed) return;
        const error = toGatewayError(thrown);
        options.events.refused(requestIdOf(request), error);
        refuse({ request, response }, error);
      });
    },
  );
}

interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
}

async function answer(passage: Passage, options: McpServerOptions, admit: Admit): Promise<void> {
  const { request, response } = passage;
  if (request.url?.split('?', 1)[0] !== '/mcp') throw new GatewayError('not_found', 'Here is only /mcp.');
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return sendJson(passage, 200, options.description);
    case 'POST':
      break;
    default:
      response.setHeader('allow', 'GET, HEAD, POST');
      throw new GatewayError('method_not_allowed', `/mcp does not take ${request.method}. Use POST.`);
  }
  const caller = callerOf(request, options.secrets);
  await admit(() =>
    withBody(request, options.limits, async (body) => {
      const messages = readMessages(body);
      options.checkScopes(messages, caller);
      const leaving = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) leaving.abort();
      });
      const { headers } = request;
      await send(response, await options.protocol.answer({ messages, headers, caller, signal: leaving.signal }));
    }),
  );
}

function callerOf(request: IncomingMessage, secrets: readonly string[]): ToolCaller {
  const { [internalTokenHeader]: token, traceparent } = request.headers;
  const requestId = requestIdOf(request);
  const bearer = typeof token === 'string' ? readInternalToken(token, { requestId, secrets }) : undefined;
  if (bearer === 'too_old') throw clocksApart();
  if (!bearer || requestId === undefined) {
    throw new GatewayError('invalid_api_key', 'Requests come here through the gateway only. Ask its public address.');
  }
  return { ...bearer, requestId, traceparent: typeof traceparent === 'string' ? traceparent : undefined };
}

/** No 401: clients would throw their key away, and it is as good as ever. */
const clocksApart = (): GatewayError =>
  new GatewayError(
    'unavailable',
    'The clocks of the gateway are more than a minute apart, so its own word is not believed. Whoever runs it: set the time on the machines of edge and mcp-svc.',
  );

function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const { 'x-request-id': requestId } = headers;
  return typeof requestId === 'string' ? requestId : undefined;
}

type Admit = <Result>(work: () => Promise<Result>) => Promise<Result>;

function createAdmission(maxConcurrent: number): Admit {
  let running = 0;
  return async (work) => {
    if (running >= maxConcurrent) {
      throw new GatewayError('unavailable', 'The MCP server is busy. Try again in a second.', { retryAfterMs: 1000 });
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
    }
  };
}

async function send(response: ServerResponse, { status, headers, body }: McpAnswer): Promise<void> {
  if (typeof body === 'string') {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  await pipeline(Readable.fromWeb(body), response).catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
}

/** A body that nobody will read is not waited for: the connection ends with the answer. */
function refuse({ request, response }: Passage, error: GatewayError): void {
  if (response.headersSent) return void response.destroy();
  if (!request.complete) response.setHeader('connection', 'close');
  if (error.code === 'permission_denied') {
    const challenge = mcpChallenge({ publicUrl: publicUrlOf(request), error: 'insufficient_scope' });
    response.setHeader('www-authenticate', challenge);
  }
  if (error.retryAfterMs !== undefined) {
    response.setHeader('retry-after', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))));
  }
  sendJson({ request, response }, error.status, rpcError(error));
}

/** Edge overwrites these, whatever a client claims. */
const publicUrlOf = ({ headers }: IncomingMessage): string =>
  `${String(headers['x-forwarded-proto'])}://${String(headers['x-forwarded-host'])}`;

function sendJson({ request, response }: Passage, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
