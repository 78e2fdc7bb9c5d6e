import { stampDigits, stampMark } from '../upstream/answers.ts';

const mark = Buffer.from(stampMark);
const stampLength = mark.length + stampDigits;

/** Finds the stamps in a body that arrives in pieces, also those split between two pieces. */
export function createStampReader(onStamp: (microseconds: number) => void): (bytes: Buffer) => void {
  let tail = nothing;
  return (piece) => {
    const bytes = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
    let at = bytes.indexOf(mark);
    let done = 0;
    while (at >= 0 && at + stampLength <= bytes.length) {
      onStamp(readDigits(bytes, at + mark.length));
      done = at + stampLength;
      at = bytes.indexOf(mark, done);
    }
    tail = unfinished(bytes, at >= 0 ? at : done);
  };
}

const nothing: Buffer = Buffer.alloc(0);

/** A possible beginning of a stamp. Copied, because the memory of the piece is reused. */
function unfinished(bytes: Buffer, from: number): Buffer {
  const start = bytes.indexOf(mark, from);
  if (start >= 0) return Buffer.from(bytes.subarray(start));
  return from < bytes.length && bytes[bytes.length - 1] === mark[0] ? mark.subarray(0, 1) : nothing;
}

function readDigits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let index = start; index < start + stampDigits; index++) value = value * 10 + (bytes[index] ?? 48) - 48;
  return value;
}
