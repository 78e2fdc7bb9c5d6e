import type { ExchangeAnswer } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import { contentEncodings } from '@tallyport/wire';
import { compressed, encodingFor } from './compressed.ts';

/** A response body that is the same until the catalogue changes or a date passes. */
export interface Document {
  body: Buffer;
  etag: string;
}

/** Answers with the document, compressed if the client accepts it, or with 304 if its `If-None-Match` is current. */
export async function answerConditionally(
  { body, etag }: Document,
  { headers: requested }: Pick<RequestHead, 'headers'>,
): Promise<ExchangeAnswer> {
  const encoding = encodingFor(body, requested['accept-encoding']);
  // Clients may cache it but must revalidate: it can change at any time, and differs between keys.
  const headers = {
    etag: encoding === undefined ? etag : etag.replace(/"$/, `.${encoding}"`),
    'cache-control': 'no-cache',
    vary: 'authorization, x-api-key, x-goog-api-key, api-key, anthropic-version, x-goog-api-client, accept-encoding',
  };
  if (isSame(requested['if-none-match'], etag)) return { head: { status: 304, headers }, body: new Uint8Array(0) };
  const type = { 'content-type': 'application/json; charset=utf-8' };
  if (encoding === undefined) return { head: { status: 200, headers: { ...headers, ...type } }, body };
  return {
    head: { status: 200, headers: { ...headers, ...type, 'content-encoding': encoding } },
    body: await compressed(body, encoding),
  };
}

const encodingMark = new RegExp(`\\.(${contentEncodings.join('|')})"$`);

/** The weak comparison of RFC 9110, ignoring the encoding. */
function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(encodingMark, '"'));
  return tags.includes('*') || tags.includes(etag);
}
