/** One request on a socket, and what its client does meanwhile. */
export interface SocketQuestion {
  mark: string;
  model?: string;
  /** Number of words of the answer. Default: the answer repeats the question. */
  words?: number;
  /** The client disconnects after this time, or when the first text arrives. */
  leaves?: { afterMs: number } | 'in the answer';
  /** The client reads nothing for this long once the first text has arrived. */
  stopsReadingMs?: number;
}
