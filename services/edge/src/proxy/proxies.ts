import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '@switchyard/contracts';
import type { ClientAddress } from '../authenticate/client-address.ts';
import { sendError } from '../http/send-error.ts';
import { createTargets } from './targets.ts';
import { sendAwayPage, wantsPage } from './away-page.ts';
import { proxyTo } from './proxy.ts';

export interface ProxiesNeeds {
  /** Where auth-svc's replicas listen; asked when it is needed. */
  authUrls(): readonly string[];
  publicUrl(request: IncomingMessage): URL;
  addressOf: ClientAddress;
  nextId(): string;
  /** How long the service may say nothing. */
  silenceMs?: number;
}

export interface MountedProxy {
  path: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
}

/** What auth-svc serves: signing in, OAuth, the management API and the dashboard. */
const paths = [
  ...['/sign-in', '/sign-out', '/setup/*rest', '/invitations/*rest', '/passwords/*rest'],
  ...['/dashboard{/*rest}', '/assets/*rest'],
  ...['/oauth/*rest', '/api/v1/*rest'],
  ...['/.well-known/oauth-authorization-server{/*rest}', '/.well-known/openid-configuration{/*rest}'],
];

/** A password takes a fifth of a second and may wait for thirty others; exports are streamed. */
const longestSilenceMs = 30_000;

/** Which paths are HTTP by nature, and who serves them. */
export function edgeProxies(needs: ProxiesNeeds): readonly MountedProxy[] {
  const { authUrls, publicUrl, addressOf, nextId, silenceMs = longestSilenceMs } = needs;
  const targets = createTargets(authUrls);
  const asked = new WeakMap<IncomingMessage, string>();
  const handler = proxyTo({
    async target(request) {
      const target = await targets.next();
      asked.set(request, target);
      return target;
    },
    headers: (request) => ({ 'x-forwarded-for': addressOf(request) }),
    publicUrl,
    silenceMs,
    onUnreachable(response, { cause }) {
      const target = asked.get(response.req);
      if (target !== undefined) targets.suspect(target);
      tellAway(response, away(cause), nextId());
    },
  });
  return paths.map((path) => ({ path, handler: (request, response) => void handler(request, response) }));
}

const away = (cause: unknown): GatewayError =>
  new GatewayError('unavailable', 'Signing in and managing do not answer right now. Try again in a moment.', {
    cause,
    retryAfterMs: 1000,
  });

/** People get a page, programs the API's error. */
function tellAway(response: ServerResponse, error: GatewayError, requestId: string): void {
  if (wantsPage(response.req)) sendAwayPage(response, error);
  else sendError(response, error, requestId);
}
