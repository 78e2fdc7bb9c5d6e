/** The timeouts of one attempt. */
export interface Timeouts {
  /** For the connection, TLS included. */
  connectMs: number;
  /** From sending a streamed request to the response head. */
  firstByteMs: number;
  /**
   * The same for a request that is not streamed: vendors send nothing until the answer is complete, and reasoning takes
   * minutes.
   */
  plainFirstByteMs: number;
  /** Between two pieces of content in a stream. A provider's keep-alives are not content. */
  idleMs: number;
  totalStreamMs: number;
  totalPlainMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  plainFirstByteMs: 300_000,
  idleMs: 120_000,
  totalStreamMs: 20 * 60_000,
  totalPlainMs: 10 * 60_000,
};
