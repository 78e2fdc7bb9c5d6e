import type { ServerResponse } from 'node:http';
import type { GatewayError } from '@switchyard/contracts';
import type { ClientAddress } from '../authenticate/client-address.ts';
import { sendError } from '../http/send-error.ts';
import type { WebRoute } from '../http/web-route.ts';
import { sendAwayPage, wantsPage } from './away-page.ts';
import { createForward, type ForwardOptions } from './forward.ts';
import { createTargets } from './targets.ts';

export interface AuthProxyOptions extends Pick<ForwardOptions, 'publicUrl' | 'silenceMs'> {
  /** Where auth-svc's replicas listen; called for every request. */
  authUrls(): readonly string[];
  addressOf: ClientAddress;
}

/** What auth-svc serves: signing in, OAuth, the management API and the dashboard. */
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

/** A password takes a fifth of a second and may wait for thirty others; exports are streamed. */
const longestSilenceMs = 30_000;

/** Which paths are HTTP by nature, and reach auth-svc as they are. */
export function authRoutes(options: AuthProxyOptions): readonly WebRoute[] {
  const { authUrls, publicUrl, addressOf, silenceMs = longestSilenceMs } = options;
  const forward = createForward({
    targets: createTargets(authUrls),
    publicUrl,
    silenceMs,
    unreachable: {
      status: 503,
      message: 'Signing in and managing do not answer right now. Try again in a moment.',
      send: sendAway,
    },
  });
  return paths.map((path) => ({
    path,
    handler: (request, response) => void forward({ request, response }, { 'x-forwarded-for': addressOf(request) }),
  }));
}

/** People get a page, programs the API's error. */
function sendAway(response: ServerResponse, error: GatewayError): void {
  if (wantsPage(response.req)) sendAwayPage(response, error);
  else sendError(response, error, String(response.getHeader('x-request-id')));
}
