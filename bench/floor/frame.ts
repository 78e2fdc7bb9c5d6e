/** A reply piece on the floor's bus: one byte of flags, two bytes of status, then raw bytes. */
export interface Piece {
  first: boolean;
  last: boolean;
  status: number;
  stream: boolean;
  bytes: Uint8Array;
}

const firstFlag = 1;
const lastFlag = 2;
const streamFlag = 4;

export function encodePiece(
  { first, last, status, stream }: Omit<Piece, 'bytes'>,
  chunks: readonly Uint8Array[],
): Buffer {
  const flags = (first ? firstFlag : 0) | (last ? lastFlag : 0) | (stream ? streamFlag : 0);
  let length = 3;
  for (const chunk of chunks) length += chunk.length;
  const piece = Buffer.allocUnsafe(length);
  piece[0] = flags;
  piece.writeUInt16BE(status, 1);
  let at = 3;
  for (const chunk of chunks) {
    piece.set(chunk, at);
    at += chunk.length;
  }
  return piece;
}

export function decodePiece(piece: Uint8Array): Piece {
  const flags = piece[0] ?? 0;
  return {
    first: (flags & firstFlag) !== 0,
    last: (flags & lastFlag) !== 0,
    stream: (flags & streamFlag) !== 0,
    status: ((piece[1] ?? 0) << 8) | (piece[2] ?? 0),
    bytes: piece.subarray(3),
  };
}
