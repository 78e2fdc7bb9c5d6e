import type { ByteStream } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import type { Lease } from '../byte-budget.ts';

/** What a body may have, and what its bytes are counted by. */
export interface UploadBounds {
  maxBytes: number;
  lease: Pick<Lease, 'take'>;
}

/** The body in the pieces in which it comes. Throws `request_too_large`, or `overloaded`. */
export async function readBodyPieces(body: ByteStream, bounds: UploadBounds): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of countedPieces(body, bounds)) pieces.push(piece);
  return pieces;
}

export async function* countedPieces(body: ByteStream, { maxBytes, lease }: UploadBounds): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const { buffer, byteOffset, byteLength } of body) {
    received += byteLength;
    if (received > maxBytes) throw tooLarge(maxBytes);
    lease.take(byteLength);
    if (byteLength > 0) yield Buffer.from(buffer, byteOffset, byteLength);
  }
}

export const tooLarge = (limit: number): GatewayError =>
  new GatewayError('request_too_large', `The body is larger than ${limit} bytes (MAX_BODY_BYTES). Send less.`);
