/** A line of an input, without its line end. */
export interface InputLine {
  /** Counted from 1. */
  number: number;
  /** Its place in the input. */
  start: number;
  end: number;
  bytes: Buffer;
}

interface LineBounds {
  /** Of one line. */
  maxBytes: number;
  /** What is thrown for a longer one. */
  tooLong(line: number): Error;
  /** Where the pieces begin in the whole input; at its beginning if absent. */
  from?: { byte: number; line: number };
}

const lineFeed = 0x0a;
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/** Splits pieces of any size into lines. Blank lines are counted, and left out. */
export async function* readLines(
  pieces: AsyncIterable<Uint8Array>,
  { maxBytes, tooLong, from = { byte: 0, line: 1 } }: LineBounds,
): AsyncGenerator<InputLine> {
  let { byte: start, line: number } = from;
  let held: Buffer[] = [];
  let heldBytes = 0;

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length;
    if (heldBytes > maxBytes) throw tooLong(number);
    // The source may use the memory of a piece again.
    if (bytes.length > 0) held.push(Buffer.from(bytes));
  }

  function take(): InputLine {
    const bytes = held.length === 1 ? (held[0] ?? Buffer.alloc(0)) : Buffer.concat(held);
    const line = { number, start, end: start + bytes.length, bytes };
    [held, heldBytes, start, number] = [[], 0, line.end + 1, number + 1];
    return line;
  }

  for await (const { buffer, byteOffset, byteLength } of pieces) {
    const piece = Buffer.from(buffer, byteOffset, byteLength);
    let at = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, at)) {
      hold(piece.subarray(at, end));
      at = end + 1;
      const line = take();
      if (!isBlank(line)) yield line;
    }
    hold(piece.subarray(at));
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

const isBlank = ({ bytes }: InputLine): boolean => bytes.every((each) => spaces.has(each));
