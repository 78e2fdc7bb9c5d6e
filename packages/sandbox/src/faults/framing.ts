import type { Piece } from '../answer.ts';
import { changePieces, isEventStream, ofReply, plain } from './fault.ts';

/** Uses CRLF line ends, which the format allows. JSON text contains no raw line ends, so the content is unchanged. */
export const crlfKind = plain(
  'crlf',
  ofReply((reply) => (isEventStream(reply) ? changePieces(reply, (pieces) => pieces.map(withCrlf)) : reply)),
);

const withCrlf = ({ part, bytes }: Piece): Piece => ({
  part,
  bytes: Buffer.from(bytes.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1'),
});

/** Writes each byte separately, so that the client reads every possible split. */
export const byteWiseKind = plain(
  'byte-wise',
  ofReply((reply) => ({ ...changePieces(reply, byteByByte), pace: { kind: 'turns' } })),
);

/** Bytes after this limit stay in their pieces: a large answer would take minutes and exhaust the memory. */
const maxSingleBytes = 256 * 1024;

export function byteByByte(pieces: readonly Piece[]): Piece[] {
  let left = maxSingleBytes;
  return pieces.flatMap(({ part, bytes }) => {
    const single = bytes.subarray(0, left);
    const rest = bytes.subarray(left);
    left -= single.length;
    const singles = Array.from(single, (_, index) => ({ part, bytes: single.subarray(index, index + 1) }));
    return rest.length > 0 ? [...singles, { part, bytes: rest }] : singles;
  });
}
