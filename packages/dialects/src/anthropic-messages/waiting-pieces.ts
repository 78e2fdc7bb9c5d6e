import type { BlockPiece } from './open-block.ts';

/** Pieces of an answer that cannot be written yet, in the order in which they arrived. */
interface WaitingPieces {
  push(piece: BlockPiece): void;
  /** Removes the first piece. */
  shift(): BlockPiece | undefined;
  /** Removes all pieces of a call. */
  ofCall(index: number): BlockPiece[];
  any(): boolean;
}

export function createWaitingPieces(): WaitingPieces {
  let pieces: BlockPiece[] = [];
  return {
    push: (piece) => void pieces.push(piece),
    shift: () => pieces.shift(),
    ofCall(index) {
      const isOwn = (piece: BlockPiece): boolean => piece.kind === 'call' && piece.index === index;
      const own = pieces.filter(isOwn);
      if (own.length > 0) pieces = pieces.filter((piece) => !isOwn(piece));
      return own;
    },
    any: () => pieces.length > 0,
  };
}
