import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebRoute } from '../http/web-route.ts';
import { createForward, type ForwardOptions } from './forward.ts';
import type { FormReader } from './read-form.ts';
import { refuseUnread, sendUnavailable } from './unavailable.ts';

interface AuthRouteOptions extends Pick<
  ForwardOptions,
  'open' | 'publicUrl' | 'addressOf' | 'running' | 'timeoutMs' | 'silenceMs'
> {
  readForm: FormReader;
}

/** The paths of auth-svc: sign-in, OAuth and the management API. */
const authPaths = [
  '/sign-in{/*rest}',
  '/sign-out',
  '/setup/*rest',
  '/alert-addresses/*rest',
  '/invitations/*rest',
  '/passwords/*rest',
  '/oauth/*rest',
  '/api/v1/*rest',
  '/.well-known/oauth-authorization-server{/*rest}',
  '/.well-known/openid-configuration{/*rest}',
];

/** Checking a password takes a fifth of a second and may queue behind thirty others. */
const longestSilenceMs = 30_000;

/** The routes that auth-svc answers. */
export function authRoutes({ readForm, ...options }: AuthRouteOptions): readonly WebRoute[] {
  const message = 'The sign-in service is not responding. Try again in a moment.';
  const unreachable = { status: 503, message, send: sendUnavailable };
  const forward = createForward({ silenceMs: longestSilenceMs, ...options, unreachable });

  async function forwardForm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reading = await readForm(request);
    if (reading.kind === 'refused') return refuseUnread(response, reading.error);
    const requestId = String(response.getHeader('x-request-id'));
    await forward({ request, response, requestId }, { body: reading.body }).finally(reading.release);
  }

  return authPaths.map((path) => ({ path, handler: (request, response) => void forwardForm(request, response) }));
}
