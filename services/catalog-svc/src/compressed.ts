import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** In order of preference. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const compress: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, quality),
  gzip: promisify(gzip),
};

/** Smaller bodies fit into one packet anyway. */
const leastBytes = 1_024;

const made = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/** Compresses a body once per encoding, for as long as the body is kept. */
export function compressed(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const ofBody = made.get(body) ?? new Map<Encoding, Promise<Buffer>>();
  made.set(body, ofBody);
  const known = ofBody.get(encoding) ?? compress[encoding](body);
  ofBody.set(encoding, known);
  return known;
}

/** The best encoding the client accepts; `undefined` to send the body uncompressed. */
export function encodingFor(body: Buffer, acceptEncoding: string | undefined): Encoding | undefined {
  if (body.length < leastBytes || acceptEncoding === undefined) return undefined;
  const accepted = acceptEncoding.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  return encodings.find((encoding) => accepted.some(([name, weight = '1']) => name === encoding && Number(weight) > 0));
}
