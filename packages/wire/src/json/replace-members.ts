/** A new value for one member, as JSON text. `path` names the objects around it, from the outside. */
export interface JsonChange {
  path: readonly string[];
  value: string;
}

/**
 * Replaces values in a JSON document and keeps every other byte: the order of members, unknown ones, large numbers and
 * escapes. A member that is not there is not added. If a name occurs twice in an object, both values are replaced,
 * because readers differ in which one counts. Expects a document that JSON.parse accepts.
 */
export function replaceMembers(json: Buffer, changes: readonly JsonChange[]): Buffer {
  const places = changes
    .flatMap(({ path, value }) => valuesAt(json, { path, from: 0 }).map((range) => ({ ...range, value })))
    .toSorted((left, right) => left.start - right.start);
  if (places.length === 0) return json;
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, value } of places) {
    parts.push(json.subarray(from, start), Buffer.from(value));
    from = end;
  }
  return Buffer.concat([...parts, json.subarray(from)]);
}

interface ValueRange {
  start: number;
  end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function valuesAt(json: Buffer, { path, from }: { path: readonly string[]; from: number }): ValueRange[] {
  const [name, ...rest] = path;
  if (name === undefined) return [{ start: from, end: endOfValue(json, from) }];
  const found: ValueRange[] = [];
  let at = afterSpace(json, from);
  if (json[at] !== openBrace) return found;
  while (json[at] !== closeBrace && at < json.length) {
    const start = afterSpace(json, at + 1);
    if (json[start] !== quote) break;
    const end = endOfString(json, start);
    const value = afterSpace(json, afterSpace(json, end) + 1);
    if (nameAt(json, start, end) === name) found.push(...valuesAt(json, { path: rest, from: value }));
    at = afterSpace(json, endOfValue(json, value));
  }
  return found;
}

/** Names may be written with escapes. */
function nameAt(json: Buffer, start: number, end: number): unknown {
  const text = json.toString('utf8', start, end);
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
}

function afterSpace(json: Buffer, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function endOfValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === quote) return endOfString(json, start);
  return first === openBrace || first === openBracket ? endOfContainer(json, start) : endOfWord(json, start);
}

/** Searches for quotes, which is many times faster than a loop over the bytes of a long string. */
function endOfString(json: Buffer, start: number): number {
  for (let at = json.indexOf(quote, start + 1); at >= 0; at = json.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return json.length;
}

function endOfContainer(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === quote) {
      at = endOfString(json, at);
      continue;
    }
    at += 1;
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at;
  }
  return at;
}

/** A number, `true`, `false` or `null`. */
function endOfWord(json: Buffer, start: number): number {
  let at = start;
  while (at < json.length && !isSpace(json[at]) && !ends.has(json[at])) at += 1;
  return at;
}

const ends: ReadonlySet<number | undefined> = new Set([comma, colon, closeBrace, closeBracket]);
