import type { IncomingMessage } from 'node:http';
import {
  GatewayError,
  signVisitorToken,
  statusPageHeader,
  toGatewayError,
  visitorTokenHeader,
} from '@tallyport/contracts';
import { maxBillBodyBytes } from '@tallyport/management';
import type { Request, Response } from 'express';
import type { Door } from '../door.ts';
import { forwardedHeaders } from '../forward/headers.ts';
import type { FormReader } from '../forward/read-form.ts';
import { refuseUnread, sendUnavailable } from '../forward/unavailable.ts';
import { hasLeft } from '../http/has-left.ts';
import type { WebRoute } from '../http/web-route.ts';
import { createAddresses } from './addresses.ts';
import { type AdmitForm, admitForm } from './admit-form.ts';
import { compressPages } from './compress-pages.ts';
import { createHandOver } from './hand-over.ts';

interface DashboardOptions {
  /** The URLs of console-svc; called for every request. */
  consoleUrls(): readonly string[];
  door: Pick<Door, 'addressOf' | 'sessionCaller' | 'admit'>;
  publicUrl(request: IncomingMessage): URL;
  readForm: FormReader;
  /** Signs where requests come from. */
  secret: string;
  hasStatusPage: boolean;
  silenceMs?: number;
}

/** Forms whose answer costs money: those of all playgrounds. */
const playgroundPaths = [
  { path: '/dashboard/:account/playground/images', kind: 'images' },
  { path: '/dashboard/:account/playground{/*rest}', kind: 'chat' },
] as const;

/** The form with a bill as CSV. */
const billPath = '/dashboard/:account/reconciliations/new';

/** Exports are streamed. */
const longestSilenceMs = 30_000;

/** The pages of the dashboard, which console-svc serves. */
export function dashboardRoutes(options: DashboardOptions): readonly WebRoute[] {
  const { consoleUrls, door, silenceMs = longestSilenceMs, readForm } = options;
  const handOver = createHandOver({ addresses: createAddresses(consoleUrls), silenceMs });
  const compress = compressPages();

  async function answer(request: Request, response: Response, { admit, bytes }: FormRules): Promise<void> {
    const reading = await readForm(request, bytes);
    if (reading.kind === 'refused') return refuseUnread(response, reading.error);
    const { body, release } = reading;
    try {
      const leave = await admit?.(request, body);
      const headers = signedHeaders(request, response, { ...options, bodyLength: body.length });
      compress(request, response, () => {});
      await handOver(request, response, { headers, body }).catch(rethrowAsAway).finally(leave);
    } catch (thrown) {
      if (!hasLeft(request)) sendUnavailable(response, toGatewayError(thrown));
    } finally {
      release();
    }
  }

  const route = (path: string, rules: FormRules = {}) => ({
    path,
    handler: (request: Request, response: Response) => void answer(request, response, rules),
  });
  return [
    ...playgroundPaths.map(({ path, kind }) => route(path, { admit: admitForm(door, kind) })),
    route(billPath, { bytes: maxBillBodyBytes }),
    route('/dashboard{/*rest}'),
  ];
}

interface FormRules {
  admit?: AdmitForm;
  /** The size limit of the form, if it is not the usual one. */
  bytes?: number;
}

interface Signing extends Pick<DashboardOptions, 'door' | 'publicUrl' | 'secret' | 'hasStatusPage'> {
  bodyLength: number;
}

/** The client's headers, with a signed statement of where the request comes from. */
function signedHeaders(
  request: Request,
  response: Response,
  { door, publicUrl, secret, hasStatusPage, bodyLength }: Signing,
): Record<string, string> {
  const requestId = String(response.getHeader('x-request-id'));
  const { host, origin: publicOrigin } = publicUrl(request);
  const visitor = { address: door.addressOf(request), publicOrigin, requestId };
  return {
    host,
    ...forwardedHeaders(request.headers, { withheld, bodyLength }),
    'x-request-id': requestId,
    [statusPageHeader]: hasStatusPage ? 'yes' : 'no',
    [visitorTokenHeader]: signVisitorToken(visitor, secret),
  };
}

/** Claims of the client about itself. */
const withheld: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']);

function rethrowAsAway(cause: unknown): never {
  const message = 'The dashboard (console-svc) is not responding. Try again in a moment.';
  throw new GatewayError('unavailable', message, { cause, retryAfterMs: 1000 });
}
