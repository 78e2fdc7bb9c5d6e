import type { OrderedPiece } from './answer-parts.ts';

/** Notes the order of the pieces of one message. */
export interface OrderKeeper {
  reasoning(length: number, details: number): void;
  text(length: number, annotations: number): void;
  call(index: number): void;
  /** `undefined` for the usual order: thinking, text, calls. */
  whole(): OrderedPiece[] | undefined;
}

export function createOrderKeeper(): OrderKeeper {
  const pieces: OrderedPiece[] = [];
  const called = new Set<number>();
  return {
    reasoning(length, details) {
      if (length === 0 && details === 0) return;
      const last = pieces.at(-1);
      if (last?.type === 'reasoning')
        Object.assign(last, { length: last.length + length, details: last.details + details });
      else pieces.push({ type: 'reasoning', length, details });
    },
    text(length, annotations) {
      if (length === 0 && annotations === 0) return;
      // Sources of a whole answer follow its calls, and belong to the last text.
      const last = length === 0 ? pieces.findLast(({ type }) => type === 'text') : pieces.at(-1);
      if (last?.type === 'text')
        Object.assign(last, { length: last.length + length, annotations: last.annotations + annotations });
      else pieces.push({ type: 'text', length, annotations });
    },
    call(index) {
      if (called.has(index)) return;
      called.add(index);
      pieces.push({ type: 'tool_call', index });
    },
    whole: () => (isUsual(pieces) ? undefined : pieces),
  };
}

const usualPlaces = { reasoning: 0, text: 1, tool_call: 2 } as const;

/** A signature behind the text of an answer without calls belongs to that text, and has no place of its own. */
function isUsual(pieces: readonly OrderedPiece[]): boolean {
  const [last, before] = pieces.toReversed();
  const isSignature = last?.type === 'reasoning' && last.length === 0 && before?.type === 'text';
  const placed = isSignature ? pieces.slice(0, -1) : pieces;
  return placed.every((piece, at) => {
    const before = placed[at - 1];
    if (before === undefined) return piece.type !== 'tool_call' || piece.index === 0;
    if (piece.type === 'tool_call') return piece.index === (before.type === 'tool_call' ? before.index + 1 : 0);
    return usualPlaces[before.type] < usualPlaces[piece.type];
  });
}
