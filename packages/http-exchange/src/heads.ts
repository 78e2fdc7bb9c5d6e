import type { IncomingMessage } from 'node:http';
import { GatewayError, isConnectionHeader, type RequestHead, type ResponseHead } from '@tallyport/contracts';

/** The head of an HTTP request. */
interface HttpHead {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/**
 * The HTTP request that a head describes. Its origin is in `X-Forwarded-*` headers, which express and the OAuth library
 * read; they replace what the client claims there.
 */
export function httpHead({ http, headers, requestId }: RequestHead): HttpHead {
  if (http === undefined) throw new GatewayError('internal_error', 'The request has no HTTP request line.');
  const { protocol, host } = new URL(http.publicOrigin);
  const ours = {
    'x-forwarded-for': http.address,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-request-id': requestId,
  };
  return { method: http.method, path: http.url, headers: { host, ...withoutConnection(headers), ...ours } };
}

/** The head of an answer on the bus. */
export function responseHead({ statusCode = 500, headers }: IncomingMessage): ResponseHead {
  const { 'set-cookie': setCookie, ...others } = headers;
  return { status: statusCode, headers: withoutConnection(others), ...(setCookie && { setCookie }) };
}

function withoutConnection(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !isConnectionHeader(name)) kept[name] = value;
  return kept;
}
