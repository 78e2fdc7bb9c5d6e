import { isIP } from 'node:net';
import { type PublicAgent, createPublicAgent, readPublicDocument, webHeaders } from '@tallyport/outbound';

/** Names that only have a meaning inside a network (RFC 6761, 6762, 8375, 9476, and common practice). */
const innerNames =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;
const maxAddressLength = 512;
const connectMs = 2_000;
const totalMs = 3_000;
/** The library has a smaller limit for client metadata, but none for keys. */
const maxBytes = 64 * 1024;

/**
 * Whether a client may cause this URL to be fetched: https on the default port, with a public name. The address it
 * resolves to is checked before the connection, and that address is then used.
 */
export function mayFetch(address: string): boolean {
  const url = address.length <= maxAddressLength && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.protocol !== 'https:' || url.port !== '' || url.username + url.password !== '')
    return false;
  const host = url.hostname.replace(/\.$/, '');
  return host.includes('.') && isIP(host) === 0 && !host.startsWith('[') && !innerNames.test(host);
}

/** Why a document is not fetched, as the end of a sentence about it. */
export class DocumentRefusal extends TypeError {}

interface ForeignFetchOptions {
  agent?: Pick<PublicAgent, 'get'>;
  /** Whether this URL may be fetched at all. */
  may?(address: string): boolean;
}

/**
 * A `fetch` for the OAuth library, which loads metadata and keys of clients. It enforces deadline, size, addresses and
 * redirects itself. Rejects with the reason.
 */
export function createForeignFetch({ agent, may = mayFetch }: ForeignFetchOptions = {}): typeof fetch {
  const ours = agent ?? createPublicAgent({ connectMs, allowLocal: false });
  return async (input, options = {}) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!may(address)) throw new DocumentRefusal('its address is not that of a public server');
    if (options.method !== undefined && options.method !== 'GET')
      throw new DocumentRefusal('only GET requests are allowed');
    const { status, headers, body } = await readPublicDocument(ours, new URL(address), {
      headers: { ...Object.fromEntries(new Headers(options.headers)), 'accept-encoding': 'identity' },
      maxBytes,
      signal: AbortSignal.any([AbortSignal.timeout(totalMs), ...(options.signal ? [options.signal] : [])]),
    });
    if (status >= 300 && status < 400)
      throw new DocumentRefusal('its address redirects, and redirects are not followed');
    return new Response(isEmpty(status) ? null : new Uint8Array(body), { status, headers: webHeaders(headers) });
  };
}

const isEmpty = (status: number): boolean => status === 204 || status === 205;
