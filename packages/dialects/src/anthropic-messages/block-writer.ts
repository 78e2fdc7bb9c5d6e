import type { BlockDelta, BlockEvent } from './answer-types.ts';
import { blockFor, type BlockPiece, type OpenBlock } from './open-block.ts';

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
  let events: BlockEvent[] = [];
  let waiting: BlockPiece[] = [];
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
    say(block.add(piece) ?? []);
  }

  function write(piece: BlockPiece): void {
    const deltas = open?.add(piece);
    if (deltas !== undefined) say(deltas);
    else if (open?.complete() === false) waiting.push(piece);
    else begin(piece);
  }

  return {
    write,
    close() {
      stop();
      while (waiting.length > 0) {
        const pieces = waiting;
        waiting = [];
        for (const piece of pieces) write(piece);
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
