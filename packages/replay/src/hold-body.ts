import type { IncomingExchange } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';

/** What counts the bytes that are held. `take` throws when there is no room. */
export interface BodyLease {
  take(bytes: number): void;
  release(): void;
}

export interface BodyBounds {
  maxBodyBytes: number;
  lease?: () => BodyLease;
}

export interface HeldBody {
  body: Uint8Array;
  release(): void;
}

/** The whole body: what a request is known by has to be seen before it is worked on. */
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
  new GatewayError('request_too_large', `The body is larger than ${limit} bytes (MAX_BODY_BYTES). Send less.`);
