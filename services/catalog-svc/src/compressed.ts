import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncoding, type ContentEncoding } from '@tallyport/wire';

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress: Readonly<Record<ContentEncoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, quality),
  gzip: promisify(gzip),
};

/** Smaller bodies fit into one packet anyway. */
const leastBytes = 1_024;

const made = new WeakMap<Buffer, Map<ContentEncoding, Promise<Buffer>>>();

/** Compresses a body once per encoding, for as long as the body is kept. */
export function compressed(body: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  const ofBody = made.get(body) ?? new Map<ContentEncoding, Promise<Buffer>>();
  made.set(body, ofBody);
  const known = ofBody.get(encoding) ?? compress[encoding](body);
  ofBody.set(encoding, known);
  return known;
}

/** The best encoding the client accepts; `undefined` to send the body uncompressed. */
export const encodingFor = (body: Buffer, acceptEncoding: string | undefined): ContentEncoding | undefined =>
  body.length < leastBytes ? undefined : acceptedEncoding(acceptEncoding);
