import { hash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@switchyard/contracts';

/** What a request says about where it comes from. */
export interface RequestOrigin {
  readonly origin?: string | undefined;
  readonly secFetchSite?: string | undefined;
  /** From the form's hidden field `csrf_token`, or the header `x-csrf-token`. */
  readonly csrfToken?: string | undefined;
}

/**
 * For every form: it must come from a page of ours, and know the session's token. Browsers that say where a request
 * comes from are believed, those that say nothing have to know the token all the same.
 */
export function checkForm(request: RequestOrigin, expected: { origin: string; csrfToken: string }): void {
  if (comesFromElsewhere(request, expected.origin)) throw foreign();
  if (!sameText(request.csrfToken, expected.csrfToken)) throw foreign();
}

/** For JSON calls that a cookie vouches for: the token, or a browser that says it is a page of ours that asks. */
export function checkJsonCall(request: RequestOrigin, expected: { origin: string; csrfToken: string }): void {
  if (comesFromElsewhere(request, expected.origin)) throw foreign();
  if (request.origin === expected.origin || request.secFetchSite === 'same-origin') return;
  if (!sameText(request.csrfToken, expected.csrfToken)) throw foreign();
}

/** For forms before there is a session, such as signing in. */
export function checkSameOrigin(request: RequestOrigin, origin: string): void {
  if (comesFromElsewhere(request, origin)) throw foreign();
}

/**
 * No page can forge `Sec-Fetch-Site`, and it stays true where a referrer policy of `no-referrer` makes Origin `null`. Browsers
 * leave it out on plain http, so the pages themselves must not have that policy.
 */
function comesFromElsewhere({ origin, secFetchSite }: RequestOrigin, own: string): boolean {
  if (secFetchSite !== undefined) return secFetchSite !== 'same-origin' && secFetchSite !== 'none';
  return origin !== undefined && origin !== own;
}

/** Digests are equally long and tell nothing by how long they take. */
function sameText(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

const foreign = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This request did not come from a page of this gateway. Open the page again and repeat it there.',
  );
