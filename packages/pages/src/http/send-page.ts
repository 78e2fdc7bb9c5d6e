import type { ServerResponse } from 'node:http';
import { type Html, render } from '../html.ts';
import type { Viewer } from '../viewer.ts';

export interface SendPage {
  status?: number;
  /** In UTC by default. */
  viewer?: Viewer;
  /** Further targets of the page's forms: browsers also apply the policy to redirects. */
  formTargets?: readonly string[];
  /** Whether the page loads modules of ours. */
  hasScripts?: boolean;
  /** Whether one of them requests something from this gateway. */
  hasRequests?: boolean;
  /** Whether the page shows images that are part of its own text. */
  hasInlineImages?: boolean;
}

/** Sends a page with a strict policy: no scripts but our own, no external resources, no framing, no caching. */
export function sendPage(
  response: ServerResponse,
  page: Html,
  { status = 200, viewer, ...options }: SendPage = {},
): void {
  const body = render(page, viewer);
  response.writeHead(status, {
    ...pageSecurityHeaders(options),
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Sends the first part of a page. The status is final, and the rest is sent with `endPage`. */
export function beginPage(
  response: ServerResponse,
  part: Html,
  { viewer, ...options }: Omit<SendPage, 'status'>,
): void {
  response.writeHead(200, { ...pageSecurityHeaders(options), 'content-type': 'text/html; charset=utf-8' });
  response.write(render(part, viewer));
}

export function endPage(response: ServerResponse, part: Html, { viewer }: Pick<SendPage, 'viewer'>): void {
  response.end(render(part, viewer));
}

export const pageSecurityHeaders = ({
  formTargets = [],
  hasScripts = false,
  hasRequests = false,
  hasInlineImages = false,
}: Omit<SendPage, 'status' | 'viewer'> = {}): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    ...(hasScripts ? ["script-src 'self'", "require-trusted-types-for 'script'", "trusted-types 'none'"] : []),
    ...(hasRequests ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    hasInlineImages ? "img-src 'self' data:" : "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not `no-referrer`: browsers would then omit the origin of a posted form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
});
