import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GatewayError, internalTokenHeader, signVisitorToken } from '@switchyard/contracts';
import type { ClientAddress } from '../authenticate/client-address.ts';
import { hasLeft } from '../http/has-left.ts';
import { sendError } from '../http/send-error.ts';
import { closeAfterUnread } from '../http/unread-body.ts';
import type { WebRoute } from '../http/web-route.ts';
import { sendUnavailablePage, wantsPage } from './unavailable-page.ts';
import { createForward, type ForwardOptions } from './forward.ts';
import { createFormReader } from './read-form.ts';
import { createTargets } from './targets.ts';

export interface AuthProxyOptions
  extends Pick<ForwardOptions, 'publicUrl'>, Partial<Pick<ForwardOptions, 'silenceMs'>> {
  /** The addresses of auth-svc's replicas; called for every request. */
  authUrls(): readonly string[];
  addressOf: ClientAddress;
  /** Signs the internal token. */
  secret: string;
}

/** The paths of auth-svc: sign-in, OAuth, the management API and the dashboard. */
const paths = [
  '/sign-in',
  '/sign-out',
  '/setup/*rest',
  '/invitations/*rest',
  '/passwords/*rest',
  '/dashboard{/*rest}',
  '/assets/*rest',
  '/oauth/*rest',
  '/api/v1/*rest',
  '/.well-known/oauth-authorization-server{/*rest}',
  '/.well-known/openid-configuration{/*rest}',
];

/** Checking a password takes a fifth of a second and may queue behind thirty others. Exports are streamed. */
const longestSilenceMs = 30_000;

/** The routes that are forwarded to auth-svc as plain HTTP. */
export function authRoutes(options: AuthProxyOptions): readonly WebRoute[] {
  const { authUrls, publicUrl, addressOf, secret, silenceMs = longestSilenceMs } = options;
  const forward = createForward({
    targets: createTargets({ addresses: authUrls, checkPath: '/' }),
    publicUrl,
    silenceMs,
    unreachable: {
      status: 503,
      message: 'The sign-in service is not responding. Try again in a moment.',
      send: sendUnavailable,
    },
  });
  const readForm = createFormReader(addressOf);

  async function forwardRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reading = await readForm(request);
    if (reading.kind === 'refused') return refuse(response, reading.error);
    const requestId = String(response.getHeader('x-request-id'));
    const address = addressOf(request);
    const visitor = { address, publicOrigin: publicUrl(request).origin, requestId };
    const headers = {
      'x-forwarded-for': address,
      'x-request-id': requestId,
      [internalTokenHeader]: signVisitorToken(visitor, secret),
    };
    await forward({ request, response }, { body: reading.body, headers }).finally(reading.release);
  }
  return paths.map((path) => ({ path, handler: (request, response) => void forwardRequest(request, response) }));
}

function refuse(response: ServerResponse, error: GatewayError): void {
  if (hasLeft(response.req)) return;
  closeAfterUnread(response.req, response);
  sendUnavailable(response, error);
}

/** Sends an HTML page to browsers and the API's error to programs. */
function sendUnavailable(response: ServerResponse, error: GatewayError): void {
  if (wantsPage(response.req)) sendUnavailablePage(response, error);
  else sendError(response, error, { requestId: String(response.getHeader('x-request-id')) });
}
