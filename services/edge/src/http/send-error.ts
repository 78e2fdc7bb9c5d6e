import type { ServerResponse } from 'node:http';
import { errorBody, type GatewayError } from '@switchyard/contracts';
import { corsHeaders } from './cors.ts';
import { securityHeaders } from './security-headers.ts';

/** The one way an error leaves: the envelope of OpenAI's clients, the request id, and when to try again. */
export function sendError(response: ServerResponse, error: GatewayError, requestId: string): void {
  const body = JSON.stringify(errorBody(error));
  response.writeHead(error.status, {
    ...securityHeaders,
    ...corsHeaders,
    ...retryHeaders(error),
    ...(error.status === 401 && !response.hasHeader('www-authenticate') && challenge),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  });
  response.end(body);
}

const challenge = { 'www-authenticate': 'Bearer realm="switchyard"' };

function retryHeaders({ status, retryAfterMs }: GatewayError): Record<string, string> {
  if (retryAfterMs !== undefined) {
    return {
      'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))),
      'retry-after-ms': String(retryAfterMs),
    };
  }
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
    ? { 'x-should-retry': 'false' }
    : {};
}
