import { codeOf } from './upstream-failure.ts';

/** How far an exchange had progressed when its connection failed. */
export interface SendProgress {
  /** The whole request has been handed to the socket. */
  wasSent: boolean;
  /** The socket has been read since then. */
  wasReadSince: boolean;
  /** A byte of the answer has arrived. */
  isAnswered: boolean;
  /** The connection was open before the request was made. */
  isWarm: boolean;
  sinceSentMs: number;
  /** No longer than the round trip to this server; 0 if none was measured. */
  roundTripMs: number;
}

/** The server closed the connection instead of answering. */
export class UnansweredEnd extends Error {
  readonly at = performance.now();

  constructor() {
    super('other side closed');
    this.name = 'UnansweredEnd';
  }
}

/** Round trips vary by some of their length. A server does no paid work in this time. */
const varyingShare = 0.25;
const mostVaryingMs = 10;

/**
 * Whether it is certain that the server has not read the request, so that it may be sent again:
 *
 * - the system refused to write it, or found a reset by the first read after the request was written, or by a write
 *   after the server had closed;
 * - the server closed an idle connection. That takes the server at least a round trip if the request is the reason for
 *   it. If the end arrives sooner, or before the whole request was written, it was on its way already.
 */
export function isUnread(error: Error, progress: SendProgress): boolean {
  if (progress.isAnswered) return false;
  if (isReset(error) && (!progress.wasReadSince || isWriteError(error))) return true;
  if (!progress.isWarm || !isEnd(error)) return false;
  return !progress.wasSent || isSoonerThanReaction(progress.sinceSentMs, progress.roundTripMs);
}

export function isSoonerThanReaction(sinceSentMs: number, roundTripMs: number): boolean {
  return sinceSentMs < roundTripMs + Math.min(roundTripMs * varyingShare, mostVaryingMs);
}

/** The connection was closed before the whole request was handed to the system. */
const isWriteError = (error: Error): boolean => 'syscall' in error && error.syscall === 'write';

/** No process has read what the system resets. */
const isReset = (error: Error): boolean => ['ECONNRESET', 'EPIPE'].includes(codeOf(error));

const isEnd = (error: Error): boolean => isReset(error) || error instanceof UnansweredEnd;
