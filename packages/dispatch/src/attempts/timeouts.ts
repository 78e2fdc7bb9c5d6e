/** How long one attempt may wait for what. */
export interface Timeouts {
  /** For the connection, TLS included. */
  connectMs: number;
  /** From sending a request for a stream to the response's head. */
  firstByteMs: number;
  /** The same without streaming: vendors send nothing before the answer is whole, and reasoning takes minutes. */
  plainFirstByteMs: number;
  /** Between two pieces of content of a stream. A provider's signs of life are not content. */
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
