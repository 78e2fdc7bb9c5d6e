/** How the upstream answers every request until the next change. The bench sets it before a case. */
export type UpstreamMode =
  /** A chat completion of about 1 KB, after `delayMs`. */
  | { kind: 'answer'; delayMs: number }
  /** A chat completion of `bytes`. */
  | { kind: 'large'; bytes: number }
  /** An image of `bytes` in base64, in OpenAI's format. */
  | { kind: 'image'; bytes: number }
  /**
   * `chunks` stamped chunks (0: until the client disconnects), one every `intervalMs` (0: as fast as the socket accepts
   * them).
   */
  | { kind: 'stream'; chunks: number; intervalMs: number };

export interface UpstreamReport {
  kind: 'report';
  requests: number;
  /** Number of open streams. */
  open: number;
  /** When clients disconnected before the end of their stream, in microseconds of the machine's clock. */
  leftAt: number[];
}

/** Messages from the bench to the upstream process. */
export type UpstreamOrder = { kind: 'mode'; mode: UpstreamMode } | { kind: 'report' };
