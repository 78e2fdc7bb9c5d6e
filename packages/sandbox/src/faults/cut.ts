import type { Piece } from '../answer.ts';
import { ofReply, plain, faultNumber, type FaultKind } from './fault.ts';

/** Closes the connection after this many bytes of the body, or after its last byte if it is shorter. */
export const cutKind: FaultKind = {
  name: 'cut',
  usage: 'cut:<bytes>',
  build: (spec) => {
    const bytes = faultNumber(spec, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    return ofReply((reply) => ({ ...reply, pieces: firstBytes(reply.pieces, bytes), ending: 'cut' }));
  },
};

export const cutAfterHeadersKind = plain(
  'cut-after-headers',
  ofReply((reply) => ({ ...reply, pieces: [], ending: 'cut' })),
);

function firstBytes(pieces: readonly Piece[], count: number): Piece[] {
  const kept: Piece[] = [];
  let left = count;
  for (const { part, bytes } of pieces) {
    if (left <= 0) break;
    kept.push({ part, bytes: bytes.subarray(0, left) });
    left -= bytes.length;
  }
  return kept;
}
