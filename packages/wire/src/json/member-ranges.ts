/** A member of an object in a JSON document, by its places. */
interface MemberRange {
  name: unknown;
  /** Behind the brace or comma before the member. */
  from: number;
  value: number;
  /** Behind the value. */
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

/** The members of the object that starts here, in order; none if it is another value. */
export function membersAt(json: Buffer, start: number): MemberRange[] {
  const found: MemberRange[] = [];
  eachMember(json, start, ({ name, from, value }) => {
    const end = endOfValue(json, value);
    found.push({ name, from, value, end });
    return end;
  });
  return found;
}

/** Calls back for each member of the object that starts here, for the end of its value. Returns the end of the object. */
export function eachMember(json: Buffer, start: number, endOf: (member: Omit<MemberRange, 'end'>) => number): number {
  let at = afterSpace(json, start);
  if (json[at] !== openBrace) return at;
  while (json[at] !== closeBrace && at < json.length) {
    const from = at + 1;
    const nameAt = afterSpace(json, from);
    if (json[nameAt] !== quote) return nameAt + 1;
    const nameEnd = endOfString(json, nameAt);
    const value = afterSpace(json, afterSpace(json, nameEnd) + 1);
    at = afterSpace(json, endOf({ name: nameIn(json, nameAt, nameEnd), from, value }));
  }
  return at + 1;
}

/** The same for the elements of a list, by their place. Ends also in a list that is no JSON. */
export function eachElement(json: Buffer, start: number, endOf: (index: number, value: number) => number): number {
  let at = afterSpace(json, start);
  if (json[at] !== openBracket) return at;
  at = afterSpace(json, at + 1);
  for (let index = 0; json[at] !== closeBracket && at < json.length; index += 1) {
    at = afterSpace(json, Math.max(at + 1, endOf(index, at)));
    if (json[at] === comma) at = afterSpace(json, at + 1);
  }
  return at + 1;
}

/** Names may be written with escapes. */
function nameIn(json: Buffer, start: number, end: number): unknown {
  const text = json.toString('utf8', start, end);
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
}

export function afterSpace(json: Buffer, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

export function endOfValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === quote) return endOfString(json, start);
  return first === openBrace || first === openBracket ? endOfContainer(json, start) : endOfWord(json, start);
}

/** So many bytes are read one by one. A search costs more than that, and is many times faster for a long string. */
const shortString = 16;

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  for (const most = at + shortString; at < most; at += 1) {
    if (json[at] === quote) return at + 1;
    if (json[at] === backslash) at += 1;
  }
  for (at = json.indexOf(quote, at); at >= 0; at = json.indexOf(quote, at + 1)) {
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
