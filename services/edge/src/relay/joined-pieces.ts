/**
 * Collects the pieces of a body in order and joins them once there are many: a piece costs far more memory than its
 * bytes.
 */
interface JoinedPieces {
  add(piece: Uint8Array): void;
  /** The number of pieces held. */
  held(): number;
  bytes(): number;
  /** Returns all pieces as one; a single piece is not copied. */
  whole(): Uint8Array;
}

/** The client chooses the chunk size: in chunks of one byte, five megabytes held separately take one gigabyte. */
const maxSeparate = 1_024;

export function createJoinedPieces(): JoinedPieces {
  const joined: Uint8Array[] = [];
  let separate: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(piece) {
      separate.push(piece);
      bytes += piece.length;
      if (separate.length < maxSeparate) return;
      joined.push(Buffer.concat(separate));
      separate = [];
    },
    bytes: () => bytes,
    held: () => joined.length + separate.length,
    whole: () =>
      joined.length === 0 && separate.length === 1 ? separate[0]! : Buffer.concat([...joined, ...separate]),
  };
}
