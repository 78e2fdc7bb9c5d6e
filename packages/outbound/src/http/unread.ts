import { codeOf } from './upstream-failure.ts';

/** How far an exchange had progressed when its connection failed. */
export interface SendProgress {
  /** The whole request has been handed to the socket. */
  wasSent: boolean;
  /** A byte of the answer has arrived. */
  isAnswered: boolean;
  /** The connection was open before the request was made. */
  isWarm: boolean;
  /** No longer than the round trip to this server; 0 if none was measured. */
  roundTripMs: number;
}

/** The connection ended after a request was written on it and before any byte of an answer. */
export class UnansweredEnd extends Error {
  /** From before the last part of the request was written until this process learned of the end. */
  readonly sinceWrittenMs: number;

  constructor(sinceWrittenMs: number, cause?: Error) {
    super(cause?.message ?? 'other side closed', { cause });
    this.name = 'UnansweredEnd';
    this.sinceWrittenMs = sinceWrittenMs;
  }
}

/**
 * Whether it is certain that the server has not read the request, so that it may be sent again:
 *
 * - the system refused to write it, or found by a write that it was reset after the server had closed;
 * - the server ended a connection that was open before, sooner than a round trip or before the whole request was written.
 *   If the request is the reason for the end, it takes at least a round trip. A busy event loop learns of ends late, never
 *   early, and the time begins before the request is written, so a process that is late takes an end for a reaction.
 */
export function isUnread(error: Error, { wasSent, isAnswered, isWarm, roundTripMs }: SendProgress): boolean {
  if (isAnswered) return false;
  const end = error instanceof UnansweredEnd ? error : undefined;
  if (isWriteError(end === undefined ? error : end.cause)) return true;
  if (!isWarm) return false;
  if (!wasSent) return end !== undefined || isReset(error);
  return end !== undefined && end.sinceWrittenMs < roundTripMs;
}

/** No process has read what the system resets. */
export const isReset = (error: unknown): error is Error =>
  error instanceof Error && ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

/** The connection was closed before the whole request was handed to the system. */
const isWriteError = (cause: unknown): boolean => isReset(cause) && 'syscall' in cause && cause.syscall === 'write';
