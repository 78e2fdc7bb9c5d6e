import { WireError } from '../wire-error.ts';

const STRING = 7;
/** Value types that state their length: byte arrays and strings. */
const measured = new Set([6, STRING]);
/** Bytes of the other types: true, false, byte, int16, int32, int64, timestamp, UUID. */
const fixed: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/** The headers of a frame with text values; others are skipped. */
export function textHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;

  function take(length: number): Buffer {
    const from = at;
    at += length;
    if (at > bytes.length) throw new WireError('frame_corrupt', 'The headers of a frame end in the middle of one.');
    return bytes.subarray(from, at);
  }

  while (at < bytes.length) {
    const name = take(take(1).readUInt8()).toString('utf8');
    const type = take(1).readUInt8();
    const value = take(measured.has(type) ? take(2).readUInt16BE() : fixedLength(type));
    if (type === STRING) headers.set(name, value.toString('utf8'));
  }
  return headers;
}

function fixedLength(type: number): number {
  const length = fixed[type];
  if (length === undefined) throw new WireError('frame_corrupt', `A header of a frame has the unknown type ${type}.`);
  return length;
}
