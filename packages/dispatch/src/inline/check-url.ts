import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import { UrlRefusal } from './refusal.ts';

export interface UrlRules {
  /** Also plain http and loopback addresses: for trying and testing, never where strangers send URLs. */
  allowLocal: boolean;
}

const longestUrl = 8_192;

/** A client's URL, or where one led, before anything is asked of it. Names are checked when they are resolved. */
export function checkUrl(text: string, rules: UrlRules): URL {
  if (text.length > longestUrl) throw new UrlRefusal(`has a URL longer than ${longestUrl} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new UrlRefusal('has no valid URL');
  if (url.protocol !== 'https:' && !(rules.allowLocal && url.protocol === 'http:')) {
    throw new UrlRefusal('must have an https or a data URL');
  }
  if (url.username !== '' || url.password !== '') throw new UrlRefusal('must not have credentials in its URL');
  // An address in place of a name is never looked up, so this is the only check it gets.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) checkAddress(host, rules);
  return url;
}

/** Throws unless a connection to this address may be made for a client. */
export function checkAddress(address: string, { allowLocal }: UrlRules): void {
  if (isPublicAddress(address) || (allowLocal && isLoopbackAddress(address))) return;
  throw new UrlRefusal('must not be at an address that is not public');
}
