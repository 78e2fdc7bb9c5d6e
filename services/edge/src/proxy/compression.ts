import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { acceptedEncoding, type ContentEncoding } from '@switchyard/wire';

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
  return encoding && { encoding, stream: compressors[encoding]() };
}

const compressors: Readonly<Record<ContentEncoding, () => Transform>> = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: () => createGzip(),
};
