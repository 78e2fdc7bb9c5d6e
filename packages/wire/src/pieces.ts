export const totalBytes = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);

/** The pieces as one, not copied if there is only one. */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/** From this length on, copying a piece costs more than sending it by itself. */
const leastLongBytes = 256 * 1024;

/** The pieces as one, except long ones, which are not copied. No piece of the result is empty. */
export function joinShortPieces(pieces: Buffer[]): Buffer[] {
  if (pieces.length === 1 && pieces[0]?.length !== 0) return pieces;
  const joined: Buffer[] = [];
  let short: Buffer[] = [];
  const flush = (): void => {
    if (short.length > 0) joined.push(joinPieces(short));
    short = [];
  };
  for (const piece of pieces) {
    if (piece.length >= leastLongBytes) {
      flush();
      joined.push(piece);
    } else if (piece.length > 0) short.push(piece);
  }
  flush();
  return joined;
}
