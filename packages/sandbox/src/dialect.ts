import type { Piece, Reply } from './answer.ts';

export interface FailureOptions {
  /** Another error code than the status has by itself. */
  readonly code?: string | undefined;
  /** Seconds the client is told to wait. */
  readonly retryAfter?: number | undefined;
}

/** How one family words what goes wrong, so that every fault strikes in its own way. */
export interface FaultDialect {
  /** The error answer this family has for a status. */
  failure(status: number, options?: FailureOptions): Reply;
  /** How a stream that began well tells of an error. */
  readonly midStream: readonly Piece[];
  /** An event of a stream that nobody can read. */
  readonly malformed: Piece;
  /** A good event of a stream with this text in it. */
  delta(text: string): Piece;
  /** What may stand between events and says nothing; absent: the format has no such thing. */
  readonly comment?: Piece;
  /** Members in which events tell the usage among other things; without: usage has events of its own. */
  readonly usageMembers?: readonly string[];
}
