/** A number that a double cannot hold, as its digits. `JSON.stringify` writes them. */
export interface ExactNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

const mostExactDigits = 15;
/** Comparing longer numbers costs more than keeping them. */
const longestCompared = 400;

/** JSON.parse that keeps the digits of numbers that would change, such as ids of 64 bits. */
export const parseExactJson = (text: string): unknown =>
  mayChange(text) ? JSON.parse(text, withDigits) : JSON.parse(text);

/** TypeScript's libraries do not know the context yet. */
function withDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && changes(value, source) ? JSON.rawJSON(source) : value;
}

/** Whether a text has so many digits in a row, wherever that is. Looks at one character in sixteen. */
function mayChange(text: string): boolean {
  const run = mostExactDigits + 1;
  for (let at = mostExactDigits; at < text.length; at += run) {
    const code = text.charCodeAt(at);
    // The same as `isOfNumber`, which would be called for nearly every body.
    if ((code < 0x30 || code > 0x39) && code !== 0x2e) continue;
    let from = at;
    let to = at + 1;
    while (from > at - run && isOfNumber(text.charCodeAt(from - 1))) from -= 1;
    while (to < at + run && isOfNumber(text.charCodeAt(to))) to += 1;
    if (to - from >= run) return true;
  }
  return false;
}

/** A digit or the point. */
const isOfNumber = (code: number): boolean => (code >= 0x30 && code <= 0x39) || code === 0x2e;

export const isExactNumber = (value: unknown): value is ExactNumber => JSON.isRawJSON(value);

function changes(value: number, source: string): boolean {
  if (source.length <= mostExactDigits) return false;
  return source.length > longestCompared || canonical(source) !== canonical(String(value));
}

/** The same text for two spellings of one number: `1.50` and `15e-1`. */
function canonical(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? [];
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant.replace(/^0+/, '')}e${power}`;
}

/**
 * The value with exact numbers as ordinary ones, except below members with these names. Returns the same value if it has
 * none.
 */
export function withRoundedNumbers(value: unknown, kept: ReadonlySet<string>): unknown {
  if (isExactNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return roundedList(value, kept);
  return isObject(value) ? roundedMembers(value, kept) : value;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

function roundedList(list: readonly unknown[], kept: ReadonlySet<string>): readonly unknown[] {
  let rounded: unknown[] | undefined;
  for (const [index, element] of list.entries()) {
    const changed = withRoundedNumbers(element, kept);
    if (changed !== element) (rounded ??= [...list])[index] = changed;
  }
  return rounded ?? list;
}

function roundedMembers(members: Members, kept: ReadonlySet<string>): Members {
  let rounded: Record<string, unknown> | undefined;
  for (const name in members) {
    if (kept.has(name)) continue;
    const changed = withRoundedNumbers(members[name], kept);
    if (changed !== members[name]) (rounded ??= { ...members })[name] = changed;
  }
  return rounded ?? members;
}
