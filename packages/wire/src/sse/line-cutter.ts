import { createByteTail } from '../byte-tail.ts';

const LF = 0x0a;
const CR = 0x0d;
/** Every event ends in a blank line. */
const blank = Buffer.alloc(0);

/** Splits bytes into lines ended by LF, CRLF or CR, wherever the chunks are cut. */
interface LineCutter {
  /** Calls `take` with every line that ends in this chunk, until it returns false. */
  cut(bytes: Buffer, take: (line: Buffer) => boolean): void;
  /** Bytes kept of an unfinished line. */
  kept(): number;
  /** The last line, if it has no end. */
  rest(): Buffer;
}

export function createLineCutter(): LineCutter {
  const tail = createByteTail();
  let afterCarriageReturn = false;

  /** A CR at the end of a chunk ends its line at once. If an LF follows in the next chunk, it is skipped. */
  function start(bytes: Buffer): number {
    const from = afterCarriageReturn && bytes[0] === LF ? 1 : 0;
    afterCarriageReturn &&= bytes.length === 0;
    return from;
  }

  function behind(end: number, bytes: Buffer): number {
    if (bytes[end] === LF) return end + 1;
    afterCarriageReturn = end + 1 === bytes.length;
    return bytes[end + 1] === LF ? end + 2 : end + 1;
  }

  return {
    cut(bytes, take) {
      const ends = createEndFinder(bytes);
      let from = start(bytes);
      for (let end = ends(from); end !== -1; end = ends(from)) {
        if (!take(tail.complete(from === end ? blank : bytes.subarray(from, end)))) return;
        from = behind(end, bytes);
      }
      if (from < bytes.length) tail.append(bytes.subarray(from));
    },
    kept: tail.length,
    rest: () => tail.complete(Buffer.alloc(0)),
  };
}

/**
 * Searches for each kind of line end again only after passing it, so that a stream without one is not searched
 * repeatedly.
 */
function createEndFinder(bytes: Buffer): (from: number) => number {
  let feed = bytes.indexOf(LF);
  let carriageReturn = bytes.indexOf(CR);
  return (from) => {
    if (feed !== -1 && feed < from) feed = bytes[from] === LF ? from : bytes.indexOf(LF, from);
    if (carriageReturn !== -1 && carriageReturn < from) carriageReturn = bytes.indexOf(CR, from);
    if (feed === -1 || carriageReturn === -1) return Math.max(feed, carriageReturn);
    return Math.min(feed, carriageReturn);
  };
}
