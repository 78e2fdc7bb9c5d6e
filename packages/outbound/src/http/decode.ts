import { Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { UpstreamCall, UpstreamHeaders } from './call.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** A decoded response body, in pieces as they arrive. */
export interface BodyReader {
  /** Resolves with `true` if there are bytes to take, with `false` at a proper end. Rejects with UpstreamFailure. */
  ready(): Promise<boolean>;
  /** Takes what has arrived since the last call. */
  take(): Buffer[];
}

/**
 * Decodes a response body. Requests ask for `identity`, but some providers compress anyway. A body that does not match
 * its content-encoding is a failure. The size limit applies to the decoded bytes too.
 */
export function decodedBody(call: UpstreamCall, headers: UpstreamHeaders, maxBytes: number): BodyReader {
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  if (encoding === 'identity' || encoding === '') return call;
  const decoder = createDecoder(encoding);
  if (decoder === undefined)
    return failing(new UpstreamFailure('undecodable', `answered in the unknown content-encoding ${encoding}`));
  const decoded = Readable.from(bodyChunks(call))
    .on('error', (error) => decoder.destroy(error))
    .pipe(decoder);
  const chunks: AsyncIterator<Buffer> = decoded[Symbol.asyncIterator]();
  let received = 0;
  let taken: Buffer[] = [];
  return {
    async ready() {
      const next = await chunks.next().catch((error: unknown) => {
        if (error instanceof UpstreamFailure) throw error;
        throw new UpstreamFailure('undecodable', `sent a body that is not the ${encoding} it is labelled as`, {
          cause: error,
        });
      });
      if (next.done === true) return false;
      received += next.value.length;
      taken = [next.value];
      if (received <= maxBytes) return true;
      const failure = new UpstreamFailure('too_large', `sent more than ${maxBytes} bytes when decoded`);
      call.abort(failure);
      throw failure;
    },
    take: () => taken,
  };
}

function createDecoder(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'deflate') return createInflate({ flush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br') return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  return undefined;
}

/** The chunks of a body as they arrive. */
export async function* bodyChunks(body: BodyReader): AsyncGenerator<Buffer> {
  while (await body.ready()) yield* body.take();
}

const failing = (failure: UpstreamFailure): BodyReader => ({
  ready: () => Promise.reject(failure),
  take: () => [],
});
