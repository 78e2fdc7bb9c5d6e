import { stampDigits, stampMark } from '../upstream/answers.ts';

const mark = Buffer.from(stampMark);
const stampLength = mark.length + stampDigits;

/** Finds the stamps in a body that arrives in pieces, also where a piece ends inside one. */
export function createStampReader(onStamp: (microseconds: number) => void): (bytes: Buffer) => void {
  let tail: Buffer = Buffer.alloc(0);
  return (piece) => {
    const bytes = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
    let at = bytes.indexOf(mark);
    let done = 0;
    while (at >= 0 && at + stampLength <= bytes.length) {
      onStamp(readDigits(bytes, at + mark.length));
      done = at + stampLength;
      at = bytes.indexOf(mark, done);
    }
    // Copied, because the piece's memory is not ours to keep.
    tail = Buffer.from(bytes.subarray(at >= 0 ? at : Math.max(done, bytes.length - mark.length + 1)));
  };
}

function readDigits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let index = start; index < start + stampDigits; index++) value = value * 10 + (bytes[index] ?? 48) - 48;
  return value;
}
