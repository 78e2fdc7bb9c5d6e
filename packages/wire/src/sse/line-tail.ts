/** The start of a line whose end has not come yet. It grows by doubling: bytes that drip in one by one stay linear. */
export interface LineTail {
  length(): number;
  append(bytes: Buffer): void;
  /** The kept start and these last bytes as one line; a line that came in one piece is not copied. */
  complete(end: Buffer): Buffer;
}

const SMALLEST = 256;

export function createLineTail(): LineTail {
  let kept: Buffer = Buffer.alloc(0);
  let length = 0;

  function append(bytes: Buffer): void {
    if (length + bytes.length > kept.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST, 2 * kept.length, length + bytes.length));
      kept.copy(larger, 0, 0, length);
      kept = larger;
    }
    bytes.copy(kept, length);
    length += bytes.length;
  }

  return {
    length: () => length,
    append,
    complete(end) {
      if (length === 0) return end;
      append(end);
      const line = kept.subarray(0, length);
      // The line belongs to its frame from now on.
      kept = Buffer.alloc(0);
      length = 0;
      return line;
    },
  };
}
