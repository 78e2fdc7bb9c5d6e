/** The range of a JSON string's body, without its quotes. */
export interface ByteRange {
  start: number;
  end: number;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/**
 * The value of `"name": "…"` if that member occurs exactly once. A text cannot contain the member's name, because its
 * quotes would be escaped.
 */
export function stringMember(bytes: Buffer, name: string): ByteRange | undefined {
  const key = `"${name}"`;
  const at = bytes.indexOf(key);
  if (at === -1 || bytes.includes(key, at + key.length)) return undefined;
  const colon = skipBlanks(bytes, at + key.length);
  if (bytes[colon] !== 0x3a) return undefined;
  const quote = skipBlanks(bytes, colon + 1);
  if (bytes[quote] !== QUOTE) return undefined;
  const end = endOfString(bytes, quote + 1);
  return end === undefined ? undefined : { start: quote + 1, end };
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20) at += 1;
  return at;
}

function endOfString(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return undefined;
}
