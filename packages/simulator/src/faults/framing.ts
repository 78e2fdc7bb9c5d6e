import type { Piece } from '../answer.ts';
import { ofReply, plain } from './fault.ts';

/** Lines end in CRLF, as the format allows. JSON text holds no raw line ends, so content stays what it was. */
export const crlfKind = plain(
  'crlf',
  ofReply((reply) => {
    if (!reply.stream) return reply;
    const changed = (pieces: readonly Piece[]) => pieces.map(withCrlf);
    return { ...reply, pieces: changed(reply.pieces), ...(reply.loop && { loop: changed(reply.loop) }) };
  }),
);

const withCrlf = ({ part, bytes }: Piece): Piece => ({
  part,
  bytes: Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
});

/** Each byte is a write of its own, so that the reader sees every split there is. */
export const byteWiseKind = plain(
  'byte-wise',
  ofReply((reply) => ({ ...reply, pieces: byteByByte(reply.pieces), pace: { kind: 'turns' } })),
);

export function byteByByte(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap(({ part, bytes }) =>
    Array.from(bytes, (_, index) => ({ part, bytes: bytes.subarray(index, index + 1) })),
  );
}
