import { createHash, type Hash } from 'node:crypto';

interface RequestContent {
  /** Included so that one key is one request, not one per endpoint. */
  operation: string;
  contentType: string | undefined;
  body: Uint8Array;
}

/** More than any accepted form has. A body with more delimiters is compared byte by byte. */
export const mostDelimiters = 256;
/** RFC 2046, section 5.1.1. */
export const longestBoundary = 70;

/**
 * Equal for repeats of a request. Clients repeat a form with another boundary, so that is left out. The boundary is the
 * client's choice: the time must not depend on how often it occurs in the body.
 */
export function requestFingerprint({ operation, contentType = '', body }: RequestContent): string {
  const hash = createHash('sha256').update(`${operation}\n`);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts = partsOf(bytes, boundaryOf(contentType));
  for (const part of parts ?? []) updateWithLength(hash, part);
  return (parts ? hash : hash.update(bytes)).digest('base64url');
}

function boundaryOf(contentType: string): string | undefined {
  const found = /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/** The parts between the delimiters. `undefined` for a body that is not a form, or not one that is accepted. */
function partsOf(bytes: Buffer, boundary: string | undefined): Buffer[] | undefined {
  if (boundary === undefined || boundary.length > longestBoundary) return undefined;
  const first = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Buffer[] = [];
  let from = bytes.subarray(0, first.length).equals(first) ? first.length : 0;
  for (let at = bytes.indexOf(delimiter, from); at >= 0; at = bytes.indexOf(delimiter, from)) {
    if (parts.length === mostDelimiters) return undefined;
    parts.push(bytes.subarray(from, at));
    from = at + delimiter.length;
  }
  return [...parts, bytes.subarray(from)];
}

/** Including the length keeps bytes of one part from counting as bytes of the next. */
const updateWithLength = (hash: Hash, part: Buffer): Hash => hash.update(`${part.length}\n`).update(part);
