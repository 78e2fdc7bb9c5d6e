import type { Piece, Reply } from './answer.ts';

export interface FailureOptions {
  /** Another error code than the status has by itself. */
  readonly code?: string | undefined;
  /** Seconds the client should wait. */
  readonly retryAfter?: number | undefined;
}

/** How one family words its errors, so that every fault looks like its own. */
export interface FaultDialect {
  /** The error answer this family has for a status. */
  failure(status: number, options?: FailureOptions): Reply;
  /** How a stream that began well reports an error. */
  readonly midStream: readonly Piece[];
  /** An event of a stream that cannot be parsed. */
  readonly malformed: Piece;
  /** A good event of a stream with this text in it. */
  delta(text: string): Piece;
  /** What may stand between events and says nothing; absent: the format has no such thing. */
  readonly comment?: Piece;
  /** Members in which events report the usage; without: usage has events of its own. */
  readonly usageMembers?: readonly string[];
}
