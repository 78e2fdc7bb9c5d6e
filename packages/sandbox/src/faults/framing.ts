import type { Piece } from '../answer.ts';
import { changePieces, isEventStream, ofReply, plain } from './fault.ts';

/** Lines end in CRLF, as the format allows. JSON text holds no raw line ends, so content stays what it was. */
export const crlfKind = plain(
  'crlf',
  ofReply((reply) => (isEventStream(reply) ? changePieces(reply, (pieces) => pieces.map(withCrlf)) : reply)),
);

const withCrlf = ({ part, bytes }: Piece): Piece => ({
  part,
  bytes: Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1'),
});

/** Each byte is a write of its own, so that the reader sees every split there is. */
export const byteWiseKind = plain(
  'byte-wise',
  ofReply((reply) => ({ ...changePieces(reply, byteByByte), pace: { kind: 'turns' } })),
);

/** Bytes beyond this stay in their pieces: a large answer would take minutes, and all memory. */
const mostSingleBytes = 256 * 1024;

export function byteByByte(pieces: readonly Piece[]): Piece[] {
  let left = mostSingleBytes;
  return pieces.flatMap(({ part, bytes }) => {
    const single = bytes.subarray(0, left);
    const rest = bytes.subarray(left);
    left -= single.length;
    const singles = Array.from(single, (_, index) => ({ part, bytes: single.subarray(index, index + 1) }));
    return rest.length > 0 ? [...singles, { part, bytes: rest }] : singles;
  });
}
