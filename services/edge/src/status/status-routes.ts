import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError, toGatewayError } from '@tallyport/contracts';
import { messagePage, pageSecurityHeaders, sendPage } from '@tallyport/pages';
import { acceptedEncoding } from '@tallyport/wire';
import { answerPreflight, corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { sendError } from '../http/send-error.ts';
import { wantsPage } from '../http/wants-page.ts';
import type { WebRoute } from '../http/web-route.ts';
import {
  createKeptStatus,
  statusFreshMs,
  type KeptStatusOptions,
  type StatusForms,
  type StatusServices,
} from './kept-status.ts';

const methods = ['GET', 'HEAD'] as const;

type FormName = keyof StatusForms;

/** The public status of the gateway: a page for browsers, JSON for programs, and a feed of incidents. */
export function statusRoutes(services: StatusServices, options: KeptStatusOptions): readonly WebRoute[] {
  const current = createKeptStatus(services, options);
  const answerWith =
    (formFor: (request: IncomingMessage) => FormName): WebRoute['handler'] =>
    (request, response) =>
      void answer({ request, response, name: formFor(request) }, current);
  return [
    { path: '/status', handler: answerWith((request) => (wantsPage(request) ? 'page' : 'json')) },
    { path: '/status.json', handler: answerWith(() => 'json') },
    { path: '/status.atom', handler: answerWith(() => 'feed') },
  ];
}

interface StatusRequest {
  request: IncomingMessage;
  response: ServerResponse;
  name: FormName;
}

async function answer(asked: StatusRequest, current: () => Promise<StatusForms>): Promise<void> {
  const { request, response, name } = asked;
  if (request.method === 'OPTIONS') return answerPreflight(response, methods);
  if (!methods.some((method) => method === request.method)) return refuse(asked);
  try {
    send(asked, (await current())[name]);
  } catch (thrown) {
    if (!response.headersSent) sendUnknown(asked, toGatewayError(thrown));
  }
}

function send({ request, response, name }: StatusRequest, { type, etag, body, encoded }: StatusForms[FormName]): void {
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const sent = encoding === undefined ? body : encoded[encoding];
  const headers = {
    ...(name === 'page' ? pageSecurityHeaders() : { ...securityHeaders, ...corsHeaders }),
    'cache-control': `public, max-age=${statusFreshMs / 1000}`,
    vary: 'accept, accept-encoding',
    etag,
  };
  if (isKnown(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end();
  response.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-length': sent.length,
    ...(encoding !== undefined && { 'content-encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : sent);
}

const isKnown = (ifNoneMatch = '', etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);

/** The reason may name internal addresses, so it is only logged. */
function sendUnknown({ response, name }: StatusRequest, { retryAfterMs = 5_000 }: GatewayError): void {
  const text = 'The status cannot be read at the moment. Requests may be answered nevertheless; try again in a moment.';
  const error = new GatewayError('unavailable', text, { retryAfterMs });
  if (name !== 'page') return sendError(response, error, { requestId: requestIdOf(response) });
  response.setHeader('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  sendPage(response, messagePage({ title: 'Status unknown', text, link: { href: '/status', text: 'Try again' } }), {
    status: error.status,
  });
}

function refuse({ request, response }: StatusRequest): void {
  response.setHeader('allow', methods.join(', '));
  const message = `The status does not support ${request.method}. Use ${methods.join(' or ')}.`;
  sendError(response, new GatewayError('method_not_allowed', message), { requestId: requestIdOf(response) });
}

const requestIdOf = (response: ServerResponse): string => String(response.getHeader('x-request-id'));
