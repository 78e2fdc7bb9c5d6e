import type { ByteStream } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import type { Lease } from '@tallyport/serving';

/** The size limit of a body, and the lease that counts its bytes. */
export interface UploadBounds {
  maxBytes: number;
  lease: Pick<Lease, 'take'>;
}

/** Reads the body in the pieces in which it arrives. Throws `request_too_large` or `overloaded`. */
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

const tooLarge = (limit: number): GatewayError =>
  new GatewayError('request_too_large', `The body is larger than ${limit} bytes (MAX_BODY_BYTES). Send a smaller one.`);
