/** What the upstream answers to every request until told otherwise. The bench sets it before a case; requests look alike. */
export type UpstreamMode =
  /** A chat completion of about 1 KB, after `delayMs`. */
  | { kind: 'answer'; delayMs: number }
  /** A chat completion of `bytes`. */
  | { kind: 'large'; bytes: number }
  /** An image of `bytes` in base64, as OpenAI answers it. */
  | { kind: 'image'; bytes: number }
  /** `chunks` stamped chunks (0: until the client leaves), one every `intervalMs` (0: as fast as the socket takes them). */
  | { kind: 'stream'; chunks: number; intervalMs: number };

export interface UpstreamReport {
  kind: 'report';
  requests: number;
  /** Streams that run now. */
  open: number;
  /** When a client left before the end of a stream, in microseconds of the machine's clock. */
  leftAt: number[];
}

/** What the bench asks of the upstream process. */
export type UpstreamOrder = { kind: 'mode'; mode: UpstreamMode } | { kind: 'report' };
