import { hash, timingSafeEqual } from 'node:crypto';
import { checkSameOrigin, crossSite, type RequestOrigin } from '@tallyport/pages';

/**
 * Checks a posted form: it must come from a page of this gateway and contain the session's token. The token is required
 * even if the browser sends no origin headers.
 */
export function checkForm(request: RequestOrigin, expected: { origin: string; csrfToken: string }): void {
  checkSameOrigin(request, expected.origin);
  if (!sameText(request.csrfToken, expected.csrfToken)) throw crossSite();
}

/** Checks a JSON call authenticated by a cookie: it needs the token, or a browser that states a same-origin request. */
export function checkJsonCall(request: RequestOrigin, expected: { origin: string; csrfToken: string }): void {
  checkSameOrigin(request, expected.origin);
  if (request.origin === expected.origin || request.secFetchSite === 'same-origin') return;
  if (!sameText(request.csrfToken, expected.csrfToken)) throw crossSite();
}

/** Compares digests: they have equal lengths, and the time taken reveals nothing. */
function sameText(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
