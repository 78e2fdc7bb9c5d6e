import type { Body } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';

/** A small body as a whole. Throws `request_too_large` beyond the limit. */
export async function bytesOfBody(body: Body, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body instanceof Uint8Array ? [body] : body) {
    length += piece.length;
    if (length > limit) throw new GatewayError('request_too_large', `This body has at most ${limit} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
