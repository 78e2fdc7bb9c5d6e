import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, GatewayError, mcpAuthenticateHeader, mcpScopes, toGatewayError } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import { missingApiKey, refuseKeyInQuery, sendsKey } from '../authenticate/credentials.ts';
import type { Door } from '../door.ts';
import { hasLeft, refuseIfLeft } from '../http/has-left.ts';
import type { ByteLimit, MemoryBudget } from '../http/memory-budget.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { closeAfterUnread, declaredLength, forgettableBytes } from '../http/unread-body.ts';
import { noBody, readWholeBody } from '../relay/read-body.ts';
import type { Forward } from '../forward/forward.ts';
import type { RequestContext, RelayOutcome } from '../request-context.ts';
import type { OriginCheck } from './origin-check.ts';
import { refuseMcp } from './refuse.ts';
import type { ToolStreams } from './tool-streams.ts';

export interface McpRouteOptions {
  checkOrigin: OriginCheck;
  door: Pick<Door, 'caller' | 'admit'>;
  publicUrl(request: IncomingMessage): URL;
  forward: Forward;
  streams: Pick<ToolStreams, 'open'>;
  memory: MemoryBudget;
  /** The largest accepted body. */
  largest: ByteLimit;
}

const methods = 'GET, HEAD, POST, OPTIONS';
const exposed = 'www-authenticate, mcp-protocol-version, retry-after, x-request-id';

/** Authenticates and admits requests to `/mcp`, then forwards them to mcp-svc with their principal. */
export function mcpRoute(options: McpRouteOptions): (context: RequestContext) => Promise<RelayOutcome> {
  return async (context) => {
    const { request, response, requestId } = context;
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    response.setHeader('x-request-id', requestId);
    try {
      const origin = options.checkOrigin(request);
      refuseKeyInQuery(context.query);
      if (origin !== undefined) allowPage(response, origin);
      return await answer(context, options);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (response.headersSent || response.destroyed || hasLeft(request)) response.destroy();
      else refuse(context, error, options);
      return { status: error.status, error };
    }
  };
}

async function answer(context: RequestContext, options: McpRouteOptions): Promise<RelayOutcome> {
  const { request, response } = context;
  switch (request.method) {
    case 'OPTIONS':
      closeAfterUnread(request, response);
      return answerPreflight(response);
    case 'GET':
    case 'HEAD':
      if (wantsStream(request)) return openStream(context, options);
      // An anonymous probe is allowed; a key that is sent is checked.
      if (await options.door.caller(request)) await requireCaller(request, options);
      closeAfterUnread(request, response);
      return options.forward(context, { body: noBody });
    case 'POST':
      return forwardCall(context, options);
    default:
      response.setHeader('allow', methods);
      throw new GatewayError('method_not_allowed', `/mcp does not support ${request.method}. Use POST.`);
  }
}

async function forwardCall(context: RequestContext, options: McpRouteOptions): Promise<RelayOutcome> {
  const { request } = context;
  const caller = await requireCaller(request, options);
  const { memory, largest } = options;
  const declaredBytes = declaredLength(request) ?? 0;
  const reservation = memory.reserve({ declaredBytes, holder: caller.principal.accountId, largest });
  try {
    // Read the body first: an unfinished upload occupies no slot, here or in mcp-svc.
    const body = await readWholeBody(request, reservation);
    return await forwardFor(caller, body, { context, options });
  } finally {
    reservation.release();
  }
}

interface ForwardContext {
  context: RequestContext;
  options: McpRouteOptions;
}

async function forwardFor(
  caller: Caller,
  body: Uint8Array,
  { context, options }: ForwardContext,
): Promise<RelayOutcome> {
  const leave = await admit(context, caller, options);
  try {
    const { principal, limits, oauth } = caller;
    const rights = { limits, ...(oauth && { scopes: oauth.scopes }) };
    return await options.forward(context, { body, principal, rights });
  } finally {
    leave();
  }
}

async function openStream(context: RequestContext, options: McpRouteOptions): Promise<RelayOutcome> {
  const { request, response } = context;
  const caller = await requireCaller(request, options);
  // Opening the stream counts as a request, but the open stream occupies no concurrency slot.
  (await admit(context, caller, options))();
  refuseIfLeft(request);
  closeAfterUnread(request, response);
  if (request.method === 'HEAD') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    return { status: 200 };
  }
  const principalNow = async () => (await requireCaller(request, options)).principal;
  await options.streams.open({ principal: caller.principal, response, principalNow });
  return { status: 200 };
}

const admit = (
  { request, response }: RequestContext,
  caller: Caller,
  { door }: McpRouteOptions,
): Leave | Promise<Leave> =>
  door.admit(
    {
      request,
      addHeaders: (headers) => Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value)),
    },
    'mcp',
    caller,
  );

/** Throws if the credentials are missing, invalid, or issued for another resource. */
async function requireCaller(request: IncomingMessage, { door }: McpRouteOptions): Promise<Caller> {
  const caller = await door.caller(request);
  if (!caller) throw missingApiKey();
  if (caller.oauth === undefined) return caller;
  if (caller.oauth.resource !== 'mcp') {
    throw new GatewayError(
      'invalid_api_key',
      'This token was issued for another part of the API. Request one for /mcp.',
    );
  }
  if (!mcpScopes.some((scope) => caller.oauth?.scopes.includes(scope))) {
    throw new GatewayError(
      'permission_denied',
      `This token has none of the required scopes: ${mcpScopes.join(', ')}.`,
      {
        param: 'scope',
      },
    );
  }
  return caller;
}

const wantsStream = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('text/event-stream') ?? false;

/** Browsers let a page read the response only if these headers name its origin. */
function allowPage(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', exposed);
  response.setHeader('vary', 'Origin');
}

function answerPreflight(response: ServerResponse): RelayOutcome {
  response.writeHead(204, {
    'access-control-allow-methods': methods,
    'access-control-allow-headers':
      'authorization, content-type, accept, x-api-key, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
    'access-control-max-age': '86400',
  });
  response.end();
  return { status: 204 };
}

function refuse({ request, response }: RequestContext, error: GatewayError, { publicUrl }: McpRouteOptions): void {
  closeAfterUnread(request, response, forgettableBytes);
  const reason = challengeFor(error, request);
  if (reason !== undefined) {
    const challenge = mcpAuthenticateHeader({
      publicUrl: publicUrl(request).origin,
      ...(reason !== 'none' && { error: reason }),
    });
    response.setHeader('www-authenticate', challenge);
  }
  refuseMcp(response, error);
}

/** `none` if no credentials were sent; `undefined` if signing in would not help. */
function challengeFor(
  { status, param }: GatewayError,
  { headers }: IncomingMessage,
): 'none' | 'invalid_token' | 'insufficient_scope' | undefined {
  if (status === 401) return sendsKey(headers) ? 'invalid_token' : 'none';
  return status === 403 && param === 'scope' ? 'insufficient_scope' : undefined;
}
