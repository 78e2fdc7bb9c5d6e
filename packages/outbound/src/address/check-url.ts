import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import type { PrivateTargets } from './private-targets.ts';
import { UrlRefusal } from './url-refusal.ts';

export interface UrlRules {
  /** Also allow plain http and loopback addresses. For development only: untrusted URLs could reach local services. */
  allowLocal: boolean;
  /** Private addresses that are allowed too. Never for URLs of clients, such as those of images. */
  privateTargets?: PrivateTargets;
}

const longestUrl = 8_192;

/** Checks a client's URL, or the target of a redirect, before any request. Host names are checked when resolved. */
export function checkUrl(text: string, rules: UrlRules): URL {
  if (text.length > longestUrl) throw new UrlRefusal(`has a URL longer than ${longestUrl} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new UrlRefusal('has an invalid URL');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain(host, rules))) {
    throw new UrlRefusal('must have an https or data URL');
  }
  if (url.username !== '' || url.password !== '') throw new UrlRefusal('must not have credentials in its URL');
  // An IP address is never looked up, so this is the only check it gets.
  if (isIP(host) !== 0) checkAddress(host, { host, ...rules });
  return url;
}

const mayBePlain = (host: string, { allowLocal, privateTargets }: UrlRules): boolean =>
  allowLocal || privateTargets?.names(host) === true;

/** Throws UrlRefusal unless connections to this host may use this address. */
export function checkAddress(address: string, { host, allowLocal, privateTargets }: UrlRules & { host: string }): void {
  if (isPublicAddress(address) || (allowLocal && isLoopbackAddress(address))) return;
  if (privateTargets?.allows(address, host)) return;
  throw new UrlRefusal('must be at a public address');
}
