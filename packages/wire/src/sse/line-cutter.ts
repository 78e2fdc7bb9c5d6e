import { createByteTail } from '../byte-tail.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Cuts bytes into lines. LF, CRLF and CR end one, wherever the chunks are cut. */
export interface LineCutter {
  /** Gives every line that ends in this chunk, until `take` answers false. */
  cut(bytes: Buffer, take: (line: Buffer) => boolean): void;
  /** How much of a line without an end is kept. */
  kept(): number;
  /** The last line, whose end never came. */
  rest(): Buffer;
}

export function createLineCutter(): LineCutter {
  const tail = createByteTail();
  let afterCarriageReturn = false;

  /** A CR at the very end of a chunk ends its line at once; the LF it may have had is passed over later. */
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
        if (!take(tail.complete(bytes.subarray(from, end)))) return;
        from = behind(end, bytes);
      }
      if (from < bytes.length) tail.append(bytes.subarray(from));
    },
    kept: tail.length,
    rest: () => tail.complete(Buffer.alloc(0)),
  };
}

/** Each kind of end is looked for again only when passed: a stream without one of them is not searched over and over. */
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
