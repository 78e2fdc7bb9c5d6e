import type { Piece, Reply } from './answer.ts';

export interface FailureOptions {
  /** Replaces the status's usual error code. */
  readonly code?: string | undefined;
  /** Seconds the client should wait. */
  readonly retryAfter?: number | undefined;
}

/** A family's errors, so that every fault looks like its own. */
export interface FaultDialect {
  /** The family's error response for a status. */
  failure(status: number, options?: FailureOptions): Reply;
  /** The pieces with which a stream reports an error after it began. */
  readonly midStream: readonly Piece[];
  /** A stream event that cannot be parsed. */
  readonly malformed: Piece;
  /** A valid stream event with this text. */
  delta(text: string): Piece;
  /** A meaningless piece between events; absent if the format has none. */
  readonly comment?: Piece;
  /** Members with which events report usage; absent if usage is sent in separate events. */
  readonly usageMembers?: readonly string[];
}
