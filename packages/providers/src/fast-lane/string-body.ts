import { isUtf8 } from 'node:buffer';

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
/** The letters of the short escapes JSON.stringify writes: `\b \f \n \r \t \" \\`. */
const shortEscapes: ReadonlySet<number | undefined> = new Set(Buffer.from('bfnrt"\\'));

/**
 * The body of a JSON string in the form JSON.stringify writes, or `undefined` if the bytes are not valid. Nearly all
 * bodies already have that form and are returned unchanged.
 */
export function canonicalBody(body: Buffer): Buffer | undefined {
  const kind = inspect(body);
  if (kind === 'canonical') return body;
  return kind === 'foreign' ? rewritten(body) : undefined;
}

/** `foreign`: possibly valid, but with escapes JSON.stringify does not use, such as `\u00e9` or `\/`. */
function inspect(body: Buffer): 'canonical' | 'foreign' | 'broken' {
  let plain = true;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE || byte < 0x20) return 'broken';
    if (byte >= 0x80) plain = false;
    if (byte !== BACKSLASH) continue;
    at += 1;
    if (!shortEscapes.has(body[at])) return 'foreign';
  }
  return plain || isUtf8(body) ? 'canonical' : 'broken';
}

function rewritten(body: Buffer): Buffer | undefined {
  if (!isUtf8(body)) return undefined;
  try {
    const text: unknown = JSON.parse(`"${body.toString('utf8')}"`);
    return Buffer.from(JSON.stringify(text).slice(1, -1));
  } catch {
    return undefined;
  }
}
