import type { ServerResponse } from 'node:http';
import { type Html, render } from '../pages/html.ts';

export interface SendPage {
  status?: number;
  /** Where else a form of the page may lead in the end: browsers hold redirects to it as well. */
  formTargets?: readonly string[];
}

/** No scripts, nothing from elsewhere, in nobody's frame, in no cache. */
export function sendPage(
  response: ServerResponse,
  page: Html,
  { status = 200, formTargets = [] }: SendPage = {},
): void {
  const body = render(page);
  response.writeHead(status, {
    ...pageSecurityHeaders(formTargets),
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export const pageSecurityHeaders = (formTargets: readonly string[] = []): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not no-referrer: then browsers would not say either that a form came from us.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
});
