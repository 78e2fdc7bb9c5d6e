/** Limits the bytes in memory that wait for a slow server. */
export interface ByteGate {
  /** Rejects at once when there is no room. Room is freed when the work settles, not when its caller gives up. */
  admit<Result>(bytes: number, work: () => Promise<Result>): Promise<Result>;
}

export function createByteGate(maxBytes: number): ByteGate {
  let inFlight = 0;
  return {
    async admit(bytes, work) {
      if (inFlight + bytes > maxBytes) throw new Error('The queue is full');
      inFlight += bytes;
      try {
        return await work();
      } finally {
        inFlight -= bytes;
      }
    },
  };
}
