import type { BlockDelta, BlockEvent } from './answer-types.ts';
import { blockFor, type BlockPiece, type OpenBlock } from './open-block.ts';
import { createWaitingPieces } from './waiting-pieces.ts';

/**
 * Writes the blocks of an answer one after another: a client has only one open at a time. While the input of a call is
 * incomplete, what belongs to other blocks waits.
 */
export interface BlockWriter {
  write(piece: BlockPiece): void;
  /** Writes what waits and closes the last block. */
  close(): void;
  /** What was written since the last time. */
  take(): BlockEvent[];
  called(): boolean;
  /** Whether there is any block. */
  begun(): boolean;
}

export function createBlockWriter(): BlockWriter {
  const calls = new Set<number>();
  const waiting = createWaitingPieces();
  let events: BlockEvent[] = [];
  let open: OpenBlock | undefined;
  let count = 0;

  function say(deltas: readonly BlockDelta[]): void {
    for (const delta of deltas) events.push({ type: 'content_block_delta', index: count - 1, delta });
  }

  function stop(): void {
    if (open === undefined) return;
    say(open.last());
    events.push({ type: 'content_block_stop', index: count - 1 });
    open = undefined;
  }

  function begin(piece: BlockPiece): void {
    // Only blanks can follow the input of a call that was closed; and a citation needs its text before it.
    const block = piece.kind === 'call' && calls.has(piece.index) ? undefined : blockFor(piece);
    if (block === undefined) return;
    stop();
    open = block;
    if (block.call !== undefined) calls.add(block.call);
    events.push({ type: 'content_block_start', index: count, content_block: block.start });
    count += 1;
    // What waits for a call belongs to it before anything that arrives later.
    const own = block.call === undefined ? [] : waiting.ofCall(block.call);
    for (const each of [piece, ...own]) say(block.add(each) ?? []);
  }

  /** Writes what waits, in its order, until a call is open that is incomplete. */
  function writeWaiting(): void {
    while (open === undefined || open.complete()) {
      const piece = waiting.shift();
      if (piece === undefined) return;
      const deltas = open?.add(piece);
      if (deltas === undefined) begin(piece);
      else say(deltas);
    }
  }

  return {
    write(piece) {
      const deltas = open?.add(piece);
      if (deltas !== undefined) return say(deltas);
      waiting.push(piece);
      writeWaiting();
    },
    close() {
      stop();
      while (waiting.any()) {
        writeWaiting();
        stop();
      }
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    called: () => calls.size > 0,
    begun: () => count > 0,
  };
}
