/** Bytes in several pieces, read as one without joining them. */
export interface ChunkList {
  readonly length: number;
  /** The pieces themselves. */
  readonly chunks: readonly Buffer[];
  /** `undefined` beyond the end. */
  at(index: number): number | undefined;
  /** The bytes from `start` up to `end`, as slices of the pieces. */
  slices(start: number, end: number): Buffer[];
}

export function chunkList(chunks: readonly Buffer[]): ChunkList {
  const starts: number[] = [];
  let length = 0;
  for (const chunk of chunks) {
    starts.push(length);
    length += chunk.length;
  }
  /** The position of the last look-up, because the next one is usually near. */
  let near = 0;

  function chunkOf(index: number): number {
    while (near > 0 && index < starts[near]!) near--;
    while (near + 1 < starts.length && index >= starts[near + 1]!) near++;
    return near;
  }

  return {
    length,
    chunks,
    at(index) {
      const chunk = chunkOf(index);
      return chunks[chunk]?.[index - starts[chunk]!];
    },
    slices(start, end) {
      const found: Buffer[] = [];
      for (let chunk = chunkOf(start); chunk < chunks.length && starts[chunk]! < end; chunk++) {
        const slice = chunks[chunk]!.subarray(Math.max(0, start - starts[chunk]!), end - starts[chunk]!);
        if (slice.length > 0) found.push(slice);
      }
      return found;
    },
  };
}
