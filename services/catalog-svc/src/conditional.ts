import type { ExchangeAnswer } from '@switchyard/bus';

/** Bytes that are the same until the catalogue or a date changes. */
export interface Document {
  body: Buffer;
  etag: string;
}

/** The document, or 304 without a body when the client's `If-None-Match` has it already. */
export function answerConditionally({ body, etag }: Document, ifNoneMatch: string | undefined): ExchangeAnswer {
  // Kept by clients, but asked about each time: it may change any moment, and differs from key to key.
  const headers = { etag, 'cache-control': 'no-cache', vary: 'authorization, x-api-key' };
  if (isSame(ifNoneMatch, etag)) return { head: { status: 304, headers }, body: new Uint8Array(0) };
  return { head: { status: 200, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' } }, body };
}

/** The weak comparison of RFC 9110. */
function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
