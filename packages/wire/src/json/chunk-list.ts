/** Bytes that arrived in pieces, read as one without being joined. */
export interface ChunkList {
  readonly length: number;
  /** `undefined` beyond the end. */
  at(index: number): number | undefined;
  /** -1 where there is none. */
  indexOf(byte: number, from: number): number;
  /** What stands from `start` up to `end`, as parts of the pieces. */
  slices(start: number, end: number): Buffer[];
}

export function chunkList(chunks: readonly Buffer[]): ChunkList {
  const starts: number[] = [];
  let length = 0;
  for (const chunk of chunks) {
    starts.push(length);
    length += chunk.length;
  }
  /** Where the last look-up ended: the next one is near. */
  let near = 0;

  function chunkOf(index: number): number {
    while (near > 0 && index < starts[near]!) near--;
    while (near + 1 < starts.length && index >= starts[near + 1]!) near++;
    return near;
  }

  return {
    length,
    at(index) {
      const chunk = chunkOf(index);
      return chunks[chunk]?.[index - starts[chunk]!];
    },
    indexOf(byte, from) {
      for (let chunk = chunkOf(from); chunk < chunks.length; chunk++) {
        const start = starts[chunk]!;
        const found = chunks[chunk]!.indexOf(byte, Math.max(0, from - start));
        if (found >= 0) return start + found;
      }
      return -1;
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
