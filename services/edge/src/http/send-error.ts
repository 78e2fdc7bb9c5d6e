import type { ServerResponse } from 'node:http';
import { chatErrors, type ErrorForm, type GatewayError } from '@tallyport/contracts';
import { apiHeaders } from './api-headers.ts';
import { idHeaders } from './id-headers.ts';
import { retryHeaders } from './retry-headers.ts';

/** Sends an error in the form of an API, with the request id, and when to retry. */
export function sendError(
  response: ServerResponse,
  error: GatewayError,
  { requestId, errors = chatErrors }: { requestId: string; errors?: ErrorForm },
): void {
  const { status, body: document } = errors.error(error, requestId);
  const body = JSON.stringify(document);
  response.writeHead(status, {
    ...apiHeaders(response.req),
    ...retryHeaders(error),
    ...(status === 401 && !response.hasHeader('www-authenticate') && challenge),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...idHeaders(requestId, errors),
  });
  response.end(body);
}

const challenge = { 'www-authenticate': 'Bearer realm="tallyport"' };
