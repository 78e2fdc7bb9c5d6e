import { hash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@switchyard/contracts';

/** What a request reveals about its origin. */
export interface RequestOrigin {
  readonly origin?: string | undefined;
  readonly secFetchSite?: string | undefined;
  /** From the form's hidden field `csrf_token`, or the header `x-csrf-token`. */
  readonly csrfToken?: string | undefined;
}

/**
 * Checks a posted form: it must come from a page of this gateway and contain the session's token. The token is required
 * even if the browser sends no origin headers.
 */
export function checkForm(request: RequestOrigin, expected: { origin: string; csrfToken: string }): void {
  if (isCrossSite(request, expected.origin)) throw crossSite();
  if (!sameText(request.csrfToken, expected.csrfToken)) throw crossSite();
}

/** Checks a JSON call authenticated by a cookie: it needs the token, or a browser that states a same-origin request. */
export function checkJsonCall(request: RequestOrigin, expected: { origin: string; csrfToken: string }): void {
  if (isCrossSite(request, expected.origin)) throw crossSite();
  if (request.origin === expected.origin || request.secFetchSite === 'same-origin') return;
  if (!sameText(request.csrfToken, expected.csrfToken)) throw crossSite();
}

/** Checks a form posted before there is a session, for example to sign in. */
export function checkSameOrigin(request: RequestOrigin, origin: string): void {
  if (isCrossSite(request, origin)) throw crossSite();
}

/**
 * No page can forge `Sec-Fetch-Site`, and it is correct even if a referrer policy of `no-referrer` makes Origin `null`.
 * Browsers omit it on plain http, so our pages must not use that policy.
 */
function isCrossSite({ origin, secFetchSite }: RequestOrigin, own: string): boolean {
  if (secFetchSite !== undefined) return secFetchSite !== 'same-origin' && secFetchSite !== 'none';
  return origin !== undefined && origin !== own;
}

/** Compares digests: they have equal lengths, and the time taken reveals nothing. */
function sameText(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

const crossSite = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This request did not come from a page of this gateway. Reload the page and try again.',
  );
