import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type BrotliDecompress,
  type Gunzip,
  type Inflate,
  type ZstdDecompress,
} from 'node:zlib';
import { GatewayError } from '@tallyport/contracts';

type Decoder = Gunzip | Inflate | BrotliDecompress | ZstdDecompress;

const decoders: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Returns the decoded body as it is read, or `undefined` if it has no content encoding. */
export function plainBody(request: IncomingMessage): AsyncIterable<Uint8Array> | undefined {
  const encoding = encodingOf(request);
  if (encoding === undefined) return undefined;
  if (!Object.hasOwn(decoders, encoding)) throw unknownEncoding();
  return decoded(request, { encoding, decoder: decoders[encoding]!() });
}

/** Refuses encoded bodies, on routes whose bodies are small. */
export function refuseEncoded(request: IncomingMessage): void {
  if (encodingOf(request) === undefined) return;
  throw new GatewayError('unsupported_media_type', 'Send this body without a Content-Encoding.');
}

function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

async function* decoded(
  request: IncomingMessage,
  { encoding, decoder }: { encoding: string; decoder: Decoder },
): AsyncGenerator<Uint8Array> {
  const onClose = (): void => {
    if (!request.complete) decoder.destroy(new LeftBeforeEnd());
  };
  request.on('close', onClose);
  if (request.destroyed) onClose();
  try {
    yield* request.pipe(decoder) as Readable & AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw cause instanceof LeftBeforeEnd ? cause : undecodable(encoding, cause);
  } finally {
    request.off('close', onClose);
    request.unpipe(decoder);
    decoder.destroy();
  }
}

class LeftBeforeEnd extends Error {}

const unknownEncoding = (): GatewayError =>
  new GatewayError(
    'unsupported_media_type',
    'Unsupported Content-Encoding. Use gzip, deflate, br or zstd, or send the body unencoded.',
  );

const undecodable = (encoding: string, cause: unknown): GatewayError =>
  new GatewayError('invalid_parameters', `The body is not valid ${encoding}. Check its Content-Encoding.`, { cause });
