import { isAscii } from 'node:buffer';

const backslash = 0x5c;
const firstPrintable = 0x20;
/** `firstPrintable` in each byte of a word, and each byte's highest bit. */
const printables = 0x20202020;
const highBits = 0x80808080;
const wordBytes = Int32Array.BYTES_PER_ELEMENT;

/**
 * Whether these bytes, which have no quotes, need no escaping in JSON: ASCII without backslashes and control
 * characters. Base64 qualifies.
 */
export function isPlainText(bytes: Buffer): boolean {
  return isAscii(bytes) && !bytes.includes(backslash) && !hasControlCharacter(bytes);
}

/** Four bytes at a time: byte by byte, and with a regular expression, 12 MB take four and ten times as long. */
function hasControlCharacter(bytes: Buffer): boolean {
  const start = Math.min(bytes.length, -bytes.byteOffset & (wordBytes - 1));
  const end = bytes.length - ((bytes.length - start) % wordBytes);
  return (
    wordsHaveControl(bytes.subarray(start, end)) ||
    bytes.subarray(0, start).some(isControl) ||
    bytes.subarray(end).some(isControl)
  );
}

function wordsHaveControl(bytes: Buffer): boolean {
  if (bytes.length === 0) return false;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / wordBytes);
  let borrows = 0;
  // Subtracting borrows from a byte's highest bit, which ASCII does not set, where the byte is smaller.
  for (let at = 0; at < words.length; at++) borrows |= words[at]! - printables;
  return (borrows & highBits) !== 0;
}

const isControl = (byte: number): boolean => byte < firstPrintable;
