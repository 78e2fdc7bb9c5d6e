import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  clockDifferenceError,
  GatewayError,
  internalTokenHeader,
  mcpAuthenticateHeader,
  readInternalToken,
  toGatewayError,
} from '@tallyport/contracts';
import type { McpEvents } from '../events.ts';
import type { ToolCaller } from '../tools/tool.ts';
import { type AdmissionLimits, type Admit, createAdmission } from './admission.ts';
import type { McpAnswer } from './answer.ts';
import type { Protocol } from './protocol.ts';
import { type BodyLimits, readMessages, withBody } from './read-messages.ts';
import { rpcError } from './rpc-error.ts';
import type { ScopeCheck } from './scopes.ts';

export interface McpServerOptions {
  protocol: Protocol;
  /** Verify edge's signature; requests without a valid one are refused. */
  secrets: readonly string[];
  limits: BodyLimits;
  concurrent: AdmissionLimits;
  /** The response to a plain GET, which needs no key. Contains no secrets. */
  description: object;
  checkScopes: ScopeCheck;
  events: McpEvents;
}

/** The principal travels in a header and may have a long list of allowed models. */
const maxHeaderBytes = 64 * 1024;
const receiveTimeoutMs = 120_000;
/** Longer than edge keeps idle connections, so that edge closes them first. */
const keepAliveMs = 120_000;

/** Serves `/mcp` to edge. */
export function mcpServer(options: McpServerOptions): Server {
  const admit = createAdmission(options.concurrent);
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

interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
}

async function answer(http: HttpExchange, options: McpServerOptions, admit: Admit): Promise<void> {
  const { request, response } = http;
  if (!/^\/mcp\/?$/.test(request.url?.split('?', 1)[0] ?? ''))
    throw new GatewayError('not_found', 'Unknown path. This server only serves /mcp.');
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return sendJson(http, 200, options.description);
    case 'POST':
      break;
    default:
      response.setHeader('allow', 'GET, HEAD, POST');
      throw new GatewayError('method_not_allowed', `/mcp does not support ${request.method}. Use POST.`);
  }
  const caller = callerOf(request, options.secrets);
  await admit(caller.principal.accountId, () =>
    withBody(request, options.limits, async (body) => {
      const messages = readMessages(body);
      options.checkScopes(messages, caller);
      const abort = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) abort.abort();
      });
      const { headers } = request;
      await send(response, await options.protocol.answer({ messages, headers, caller, signal: abort.signal }));
    }),
  );
}

function callerOf(request: IncomingMessage, secrets: readonly string[]): ToolCaller {
  const { [internalTokenHeader]: token, traceparent } = request.headers;
  const requestId = requestIdOf(request);
  const bearer = typeof token === 'string' ? readInternalToken(token, { requestId, secrets }) : undefined;
  if (bearer === 'too_old') throw clockDifferenceError('mcp-svc');
  if (!bearer || requestId === undefined) {
    throw new GatewayError(
      'invalid_api_key',
      'This server only accepts requests from the gateway. Use its public address.',
    );
  }
  return { ...bearer, requestId, traceparent: typeof traceparent === 'string' ? traceparent : undefined };
}

function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const { 'x-request-id': requestId } = headers;
  return typeof requestId === 'string' ? requestId : undefined;
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

/** An unread body is not waited for: the connection closes after the response. */
function refuse({ request, response }: HttpExchange, error: GatewayError): void {
  if (response.headersSent) return void response.destroy();
  if (!request.complete) response.setHeader('connection', 'close');
  if (error.code === 'permission_denied') {
    const challenge = mcpAuthenticateHeader({ publicUrl: publicUrlOf(request), error: 'insufficient_scope' });
    response.setHeader('www-authenticate', challenge);
  }
  if (error.retryAfterMs !== undefined) {
    response.setHeader('retry-after', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))));
  }
  sendJson({ request, response }, error.status, rpcError(error));
}

/** Edge overwrites these headers, so clients cannot forge them. */
const publicUrlOf = ({ headers }: IncomingMessage): string =>
  `${String(headers['x-forwarded-proto'])}://${String(headers['x-forwarded-host'])}`;

function sendJson({ request, response }: HttpExchange, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
