import type { ChunkDelta } from '@switchyard/wire';
import type { Members } from './read.ts';

/** The content blocks of one stream, which may interleave. Each step returns what the client is sent for it, if anything. */
export interface AnswerBlocks {
  start(event: Members): ChunkDelta | undefined;
  delta(event: Members): ChunkDelta | undefined;
  stop(event: Members): ChunkDelta | undefined;
  /** Any call was made. */
  called(): boolean;
}
