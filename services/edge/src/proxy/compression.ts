import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { acceptedEncoding, type ContentEncoding } from '@tallyport/wire';

export interface Compression {
  encoding: ContentEncoding;
  stream: Transform;
}

/** Smaller bodies fit into one packet anyway. */
const leastBytes = 1_024;

const textType = /^text\/(html|csv)\b/;

/** How to compress this response for this client; `undefined` to pass it back unchanged. */
export function compressionFor({ headers, method }: IncomingMessage, answer: IncomingMessage): Compression | undefined {
  const { 'content-type': type = '', 'content-encoding': encoded, 'content-length': length } = answer.headers;
  if (method === 'HEAD' || encoded !== undefined || !textType.test(type)) return undefined;
  if (length !== undefined && Number(length) < leastBytes) return undefined;
  const encoding = acceptedEncoding(headers['accept-encoding']);
  return encoding && { encoding, stream: compressors[encoding](length === undefined) };
}

/** A page without a length is sent in parts, of which none waits for the next one. */
const compressors: Readonly<Record<ContentEncoding, (inParts: boolean) => Transform>> = {
  br: (inParts) =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
      ...(inParts && { flush: constants.BROTLI_OPERATION_FLUSH }),
    }),
  gzip: (inParts) => createGzip(inParts ? { flush: constants.Z_SYNC_FLUSH } : {}),
};
