import type { ServerResponse } from 'node:http';
import type { GatewayError } from '@tallyport/contracts';
import { messagePage, sendPage } from '@tallyport/pages';
import { hasLeft } from '../http/has-left.ts';
import { sendError } from '../http/send-error.ts';
import { closeAfterUnread } from '../http/unread-body.ts';
import { wantsPage } from '../http/wants-page.ts';

/** Sends an HTML page to browsers and the API's error to programs. */
export function sendUnavailable(response: ServerResponse, error: GatewayError): void {
  if (wantsPage(response.req)) sendUnavailablePage(response, error);
  else sendError(response, error, { requestId: String(response.getHeader('x-request-id')) });
}

/** The same for a request whose body is not read. */
export function refuseUnread(response: ServerResponse, error: GatewayError): void {
  if (hasLeft(response.req)) return;
  closeAfterUnread(response.req, response);
  sendUnavailable(response, error);
}

/** A page that says which service is away, with a link to try the same page again. */
function sendUnavailablePage(response: ServerResponse, { status, message: text }: GatewayError): void {
  const { method, url = '/' } = response.req;
  const link = method === 'GET' ? { href: url, text: 'Try again' } : { href: '/dashboard', text: 'Open the dashboard' };
  response.setHeader('retry-after', '1');
  sendPage(response, messagePage({ title: 'Temporarily unavailable', text, link }), { status });
}
