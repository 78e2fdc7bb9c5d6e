import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whether a `Host` header is an address, `localhost` or an accepted name. A site can point its own name at a loopback
 * address and would then be allowed to read the responses; it cannot do so with an address or `localhost`.
 */
export function isOwnHost(host: string | undefined, further: readonly string[] = []): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.exec(host ?? '')?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || further.includes(name);
}

const secretHeaders: ReadonlySet<string> = new Set([
  'api-key',
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-amz-security-token',
  'x-api-key',
  'x-goog-api-key',
]);

/** The headers with the values of keys redacted. */
export const withRedactedKeys = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? '[redacted]' : value]),
  );
