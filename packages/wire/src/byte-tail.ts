/**
 * The start of a line or frame whose end has not arrived. It grows by doubling, so that many small chunks take linear
 * time.
 */
interface ByteTail {
  length(): number;
  append(bytes: Buffer): void;
  /** Joins the kept start and these last bytes. A piece that arrived complete is not copied. */
  complete(end: Buffer): Buffer;
}

const SMALLEST = 256;

export function createByteTail(): ByteTail {
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
      const whole = kept.subarray(0, length);
      // The bytes belong to its frame from now on.
      kept = Buffer.alloc(0);
      length = 0;
      return whole;
    },
  };
}
