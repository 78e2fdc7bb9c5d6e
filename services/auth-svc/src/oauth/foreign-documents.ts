import { isIP } from 'node:net';

/** Names that mean something inside a network only (RFC 6761, 6762, 8375, 9476 and what people use). */
const innerNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;
const longestAddress = 512;

/**
 * Whether a client may make us fetch this: https on the usual port and a name of the public. What the name resolves to is
 * looked at again by the library when it connects.
 */
export function mayFetch(address: string): boolean {
  const url = address.length <= longestAddress && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.protocol !== 'https:' || url.port !== '' || url.username + url.password !== '')
    return false;
  const host = url.hostname.replace(/\.$/, '');
  return host.includes('.') && isIP(host) === 0 && !host.startsWith('[') && !innerNames.test(host);
}

/** For what the library fetches by itself, such as a client's keys. It brings its own deadline, size limit and address check. */
export async function fetchForeign(...[input, options]: Parameters<typeof fetch>): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input);
  if (!mayFetch(address)) throw new TypeError('The address is none of a public server.');
  return fetch(input, { ...options, redirect: 'error' });
}
