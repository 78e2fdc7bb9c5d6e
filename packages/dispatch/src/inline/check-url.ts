import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import { UrlRefusal } from './refusal.ts';

export interface UrlRules {
  /** Also allow plain http and loopback addresses. For development only: untrusted URLs could reach local services. */
  allowLocal: boolean;
}

const longestUrl = 8_192;

/** Checks a client's URL, or the target of a redirect, before any request. Host names are checked when resolved. */
export function checkUrl(text: string, rules: UrlRules): URL {
  if (text.length > longestUrl) throw new UrlRefusal(`has a URL longer than ${longestUrl} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new UrlRefusal('has an invalid URL');
  if (url.protocol !== 'https:' && !(rules.allowLocal && url.protocol === 'http:')) {
    throw new UrlRefusal('must have an https or data URL');
  }
  if (url.username !== '' || url.password !== '') throw new UrlRefusal('must not have credentials in its URL');
  // An IP address is never looked up, so this is the only check it gets.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) checkAddress(host, rules);
  return url;
}

/** Throws UrlRefusal unless clients may cause connections to this address. */
export function checkAddress(address: string, { allowLocal }: UrlRules): void {
  if (isPublicAddress(address) || (allowLocal && isLoopbackAddress(address))) return;
  throw new UrlRefusal('must be at a public address');
}
