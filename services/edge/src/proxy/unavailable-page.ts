import type { ServerResponse } from 'node:http';
import type { GatewayError } from '@tallyport/contracts';
import { messagePage, sendPage } from '@tallyport/pages';

/** A page that says which service is away, with a link to try the same page again. */
export function sendUnavailablePage(response: ServerResponse, { status, message: text }: GatewayError): void {
  const { method, url = '/' } = response.req;
  const link = method === 'GET' ? { href: url, text: 'Try again' } : { href: '/dashboard', text: 'Open the dashboard' };
  response.setHeader('retry-after', '1');
  sendPage(response, messagePage({ title: 'Temporarily unavailable', text, link }), { status });
}
