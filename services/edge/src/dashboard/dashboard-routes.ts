import type { IncomingMessage } from 'node:http';
import { GatewayError, signVisitorToken, toGatewayError, visitorTokenHeader } from '@tallyport/contracts';
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
  silenceMs?: number;
}

/** Forms whose answer costs money. */
const playgroundPaths = [
  { path: '/dashboard/:account/playground', kind: 'chat' },
  { path: '/dashboard/:account/playground/images', kind: 'images' },
] as const;

/** Exports are streamed. */
const longestSilenceMs = 30_000;

/** The pages of the dashboard, which console-svc serves. */
export function dashboardRoutes(options: DashboardOptions): readonly WebRoute[] {
  const { consoleUrls, door, silenceMs = longestSilenceMs, readForm } = options;
  const handOver = createHandOver({ addresses: createAddresses(consoleUrls), silenceMs });
  const compress = compressPages();

  async function answer(request: Request, response: Response, admit?: AdmitForm): Promise<void> {
    const reading = await readForm(request);
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

  const route = (path: string, admit?: AdmitForm) => ({
    path,
    handler: (request: Request, response: Response) => void answer(request, response, admit),
  });
  return [...playgroundPaths.map(({ path, kind }) => route(path, admitForm(door, kind))), route('/dashboard{/*rest}')];
}

interface Signing extends Pick<DashboardOptions, 'door' | 'publicUrl' | 'secret'> {
  bodyLength: number;
}

/** The client's headers, with a signed statement of where the request comes from. */
function signedHeaders(
  request: Request,
  response: Response,
  { door, publicUrl, secret, bodyLength }: Signing,
): Record<string, string> {
  const requestId = String(response.getHeader('x-request-id'));
  const { host, origin: publicOrigin } = publicUrl(request);
  const visitor = { address: door.addressOf(request), publicOrigin, requestId };
  return {
    host,
    ...forwardedHeaders(request.headers, { withheld, bodyLength }),
    'x-request-id': requestId,
    [visitorTokenHeader]: signVisitorToken(visitor, secret),
  };
}

/** Claims of the client about itself. */
const withheld: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']);

function rethrowAsAway(cause: unknown): never {
  const message = 'The dashboard (console-svc) is not responding. Try again in a moment.';
  throw new GatewayError('unavailable', message, { cause, retryAfterMs: 1000 });
}
