import type { AnswerBlock, BlockDelta, BlockEvent } from './answer-types.ts';
import { blockFor, type BlockPiece, type OpenBlock } from './open-block.ts';
import { createWaitingPieces } from './waiting-pieces.ts';

/**
 * Writes the blocks of an answer one after another: a client has only one open at a time. While the input of a call is
 * incomplete, what belongs to other blocks waits.
 */
interface BlockWriter {
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
  const events = createBlockEvents();
  let open: OpenBlock | undefined;

  function stop(): void {
    if (open === undefined) return;
    events.deltas(open.last());
    events.stop();
    open = undefined;
  }

  function begin(piece: BlockPiece): void {
    // Only blanks can follow the input of a call that was closed; and a citation needs its text before it.
    const block = piece.kind === 'call' && calls.has(piece.index) ? undefined : blockFor(piece);
    if (block === undefined) return;
    stop();
    open = block;
    if (block.call !== undefined) calls.add(block.call);
    events.start(block.start);
    // What waits for a call belongs to it before anything that arrives later.
    const own = block.call === undefined ? [] : waiting.ofCall(block.call);
    for (const each of [piece, ...own]) events.deltas(block.add(each) ?? []);
  }

  /** Writes what waits, in its order, until a call is open that is incomplete. */
  function writeWaiting(): void {
    while (open === undefined || open.complete()) {
      const piece = waiting.shift();
      if (piece === undefined) return;
      const deltas = open?.add(piece);
      if (deltas === undefined) begin(piece);
      else events.deltas(deltas);
    }
  }

  return {
    write(piece) {
      const deltas = open?.add(piece);
      if (deltas !== undefined) return events.deltas(deltas);
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
    take: events.take,
    called: () => calls.size > 0,
    begun: () => events.blocks() > 0,
  };
}

/** The events of blocks that follow each other. */
function createBlockEvents() {
  let events: BlockEvent[] = [];
  let blocks = 0;
  return {
    start(content_block: AnswerBlock): void {
      events.push({ type: 'content_block_start', index: blocks, content_block });
      blocks += 1;
    },
    deltas(deltas: readonly BlockDelta[]): void {
      for (const delta of deltas) events.push({ type: 'content_block_delta', index: blocks - 1, delta });
    },
    stop: (): void => void events.push({ type: 'content_block_stop', index: blocks - 1 }),
    take(): BlockEvent[] {
      const taken = events;
      events = [];
      return taken;
    },
    blocks: (): number => blocks,
  };
}
