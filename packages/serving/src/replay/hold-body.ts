import type { IncomingExchange } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';

/** Counts the bytes that are held. `take` throws if there is no room. */
export interface BodyLease {
  take(bytes: number): void;
  release(): void;
}

export interface BodyBounds {
  maxBodyBytes: number;
  lease?: () => BodyLease;
}

interface HeldBody {
  body: Uint8Array;
  release(): void;
}

/** Reads the whole body, which is needed for the fingerprint before the request is handled. */
export async function holdBody({ body }: IncomingExchange, { maxBodyBytes, lease }: BodyBounds): Promise<HeldBody> {
  const held = lease?.();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > maxBodyBytes) throw tooLarge(maxBodyBytes);
      held?.take(piece.length);
      pieces.push(piece);
    }
  } catch (thrown) {
    held?.release();
    throw thrown;
  }
  const [only] = pieces;
  const whole = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
  return { body: whole, release: () => held?.release() };
}

const tooLarge = (limit: number): GatewayError =>
  new GatewayError('request_too_large', `The body is larger than ${limit} bytes (MAX_BODY_BYTES). Send a smaller one.`);

/** A body that is completely in memory. */
export const wholeBody = (body: Uint8Array): IncomingExchange['body'] => ({
  async *[Symbol.asyncIterator]() {
    yield body;
  },
  bytes: () => Promise.resolve(body),
  cancel: () => {},
});
