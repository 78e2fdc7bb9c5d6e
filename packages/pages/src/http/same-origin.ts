import { GatewayError } from '@tallyport/contracts';

/** What a request reveals about its origin. */
export interface RequestOrigin {
  readonly origin?: string | undefined;
  readonly secFetchSite?: string | undefined;
  /** From the form's hidden field `csrf_token`, or the header `x-csrf-token`. */
  readonly csrfToken?: string | undefined;
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

export const crossSite = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This request did not come from a page of this gateway. Reload the page and try again.',
  );
