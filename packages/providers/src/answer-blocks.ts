import type { ChunkDelta } from '@tallyport/wire';
import type { Members } from './read.ts';

/**
 * The content blocks of one stream, which may interleave. Each method returns the delta for the client, if there is
 * one.
 */
export interface AnswerBlocks {
  start(event: Members): ChunkDelta | undefined;
  delta(event: Members): ChunkDelta | undefined;
  stop(event: Members): ChunkDelta | undefined;
  /** Whether a tool call was started. */
  called(): boolean;
  /** Whether a block of any kind was started. */
  begun(): boolean;
}
