import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GatewayError, internalTokenHeader, signVisitorToken } from '@switchyard/contracts';
import type { ClientAddress } from '../authenticate/client-address.ts';
import { hasLeft } from '../http/has-left.ts';
import { sendError } from '../http/send-error.ts';
import { closeAfterUnread } from '../http/unread-body.ts';
import { wantsPage } from '../http/wants-page.ts';
import type { WebRoute } from '../http/web-route.ts';
import { sendUnavailablePage } from './unavailable-page.ts';
import { createForward, type Forward, type ForwardOptions } from './forward.ts';
import { createFormReader } from './read-form.ts';
import { createTargets } from './targets.ts';

export interface WebProxyOptions extends Pick<ForwardOptions, 'publicUrl'>, Partial<Pick<ForwardOptions, 'silenceMs'>> {
  /** The addresses of auth-svc's replicas; called for every request. */
  authUrls(): readonly string[];
  /** The addresses of console-svc's replicas; called for every request. */
  consoleUrls(): readonly string[];
  addressOf: ClientAddress;
  /** Signs the internal token. */
  secret: string;
}

/** The paths of auth-svc: sign-in, OAuth and the management API. */
const authPaths = [
  '/sign-in{/*rest}',
  '/sign-out',
  '/setup/*rest',
  '/invitations/*rest',
  '/passwords/*rest',
  '/oauth/*rest',
  '/api/v1/*rest',
  '/.well-known/oauth-authorization-server{/*rest}',
  '/.well-known/openid-configuration{/*rest}',
];

const consolePaths = ['/dashboard{/*rest}'];

/** Checking a password takes a fifth of a second and may queue behind thirty others. Exports are streamed. */
const longestSilenceMs = 30_000;

/** The routes that are forwarded to auth-svc and console-svc as plain HTTP. */
export function webRoutes(options: WebProxyOptions): readonly WebRoute[] {
  const { authUrls, consoleUrls, publicUrl, silenceMs = longestSilenceMs } = options;
  const readForm = createFormReader(options.addressOf);
  const forwardTo = (addresses: () => readonly string[], message: string, compresses = false): WebRoute['handler'] => {
    const forward = createForward({
      compresses,
      targets: createTargets({ addresses, checkPath: '/' }),
      publicUrl,
      silenceMs,
      unreachable: { status: 503, message, send: sendUnavailable },
    });
    return forwardAsVisitor(forward, readForm, options);
  };
  const toAuth = forwardTo(authUrls, 'The sign-in service is not responding. Try again in a moment.');
  const toConsole = forwardTo(consoleUrls, 'The dashboard is not responding. Try again in a moment.', true);
  return [
    ...authPaths.map((path) => ({ path, handler: toAuth })),
    ...consolePaths.map((path) => ({ path, handler: toConsole })),
  ];
}

/** Forwards a request with a signed statement of where it comes from. */
function forwardAsVisitor(
  forward: Forward,
  readForm: ReturnType<typeof createFormReader>,
  { publicUrl, addressOf, secret }: Pick<WebProxyOptions, 'publicUrl' | 'addressOf' | 'secret'>,
): WebRoute['handler'] {
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
  return (request, response) => void forwardRequest(request, response);
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
