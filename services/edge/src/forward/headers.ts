import type { IncomingHttpHeaders } from 'node:http';
import { isConnectionHeader } from '@tallyport/contracts';

interface ForwardedHeaders {
  withheld: ReadonlySet<string>;
  /** The length of the forwarded body. */
  bodyLength: number;
}

/** The client's headers, without those of its connection and the withheld ones. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  { withheld, bodyLength }: ForwardedHeaders,
): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (!isConnectionHeader(name) && !withheld.has(name)) forwarded[name] = String(value);
  // The client may have sent the body in pieces.
  if (bodyLength > 0 || headers['content-length'] !== undefined) forwarded['content-length'] = String(bodyLength);
  return forwarded;
}
