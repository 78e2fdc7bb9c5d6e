import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GatewayError, internalTokenHeader, signVisitorToken, toGatewayError } from '@tallyport/contracts';
import type { Door } from '../door.ts';
import { hasLeft } from '../http/has-left.ts';
import { type AdmitForm, admitForm } from './admit-form.ts';
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
  door: Pick<Door, 'addressOf' | 'sessionCaller' | 'admit'>;
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

/** Forms whose answer costs money. */
const playgroundPaths = [
  { path: '/dashboard/:account/playground', kind: 'chat' },
  { path: '/dashboard/:account/playground/images', kind: 'images' },
] as const;

/** Checking a password takes a fifth of a second and may queue behind thirty others. Exports are streamed. */
const longestSilenceMs = 30_000;

/** The routes that are forwarded to auth-svc and console-svc as plain HTTP. */
export function webRoutes(options: WebProxyOptions): readonly WebRoute[] {
  const { authUrls, consoleUrls, publicUrl, silenceMs = longestSilenceMs } = options;
  const readForm = createFormReader(options.door.addressOf);
  const forwardTo = (addresses: () => readonly string[], message: string, compresses = false): Forward => {
    return createForward({
      compresses,
      targets: createTargets({ addresses, checkPath: '/' }),
      publicUrl,
      silenceMs,
      unreachable: { status: 503, message, send: sendUnavailable },
    });
  };
  const asVisitor = (forward: Forward, admit?: AdmitForm): WebRoute['handler'] =>
    forwardAsVisitor({ forward, readForm, admit }, options);
  const toAuth = asVisitor(forwardTo(authUrls, 'The sign-in service is not responding. Try again in a moment.'));
  const console = forwardTo(consoleUrls, 'The dashboard is not responding. Try again in a moment.', true);
  const toConsole = asVisitor(console);
  return [
    ...authPaths.map((path) => ({ path, handler: toAuth })),
    ...playgroundPaths.map(({ path, kind }) => ({ path, handler: asVisitor(console, admitForm(options.door, kind)) })),
    ...consolePaths.map((path) => ({ path, handler: toConsole })),
  ];
}

interface VisitorForward {
  forward: Forward;
  readForm: ReturnType<typeof createFormReader>;
  admit: AdmitForm | undefined;
}

/** Forwards a request with a signed statement of where it comes from. */
function forwardAsVisitor(
  { forward, readForm, admit }: VisitorForward,
  { publicUrl, door, secret }: Pick<WebProxyOptions, 'publicUrl' | 'door' | 'secret'>,
): WebRoute['handler'] {
  async function forwardRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reading = await readForm(request);
    if (reading.kind === 'refused') return refuse(response, reading.error);
    const requestId = String(response.getHeader('x-request-id'));
    const address = door.addressOf(request);
    const visitor = { address, publicOrigin: publicUrl(request).origin, requestId };
    const headers = {
      'x-forwarded-for': address,
      'x-request-id': requestId,
      [internalTokenHeader]: signVisitorToken(visitor, secret),
    };
    try {
      const leave = await admit?.(request, reading.body);
      await forward({ request, response }, { body: reading.body, headers }).finally(leave);
    } catch (thrown) {
      if (!hasLeft(request)) sendUnavailable(response, toGatewayError(thrown));
    } finally {
      reading.release();
    }
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
