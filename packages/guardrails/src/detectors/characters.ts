/** A set of ASCII characters, tested by character code. Codes beyond ASCII are in it if `others` is set. */
export interface Characters {
  has(code: number): boolean;
}

/** `ranges` are pairs of characters, for example `['az', '09', '--']`. */
export function charactersOf(ranges: readonly string[], { others = false } = {}): Characters {
  const table = new Uint8Array(128);
  for (const range of ranges) table.fill(1, range.charCodeAt(0), range.charCodeAt(1) + 1);
  return { has: (code) => (code < 128 ? table[code] === 1 : others) };
}

export const digits = charactersOf(['09']);
export const wordCharacters = charactersOf(['09', 'AZ', 'az', '__'], { others: true });
export const alphanumerics = charactersOf(['09', 'AZ', 'az']);

/** Whether the text has one of the characters at this place; false outside of the text. */
export const isAt = (text: string, at: number, characters: Characters): boolean =>
  at >= 0 && at < text.length && characters.has(text.charCodeAt(at));

/** The end of the run of characters that begins at `start`, at most `longest` of them. */
export function runEnd(text: string, start: number, { characters, longest }: Run): number {
  const limit = Math.min(text.length, start + longest);
  let end = start;
  while (end < limit && characters.has(text.charCodeAt(end))) end += 1;
  return end;
}

/** The start of the run of characters that ends at `end`. */
export function runStart(text: string, end: number, { characters, longest }: Run): number {
  const limit = Math.max(0, end - longest);
  let start = end;
  while (start > limit && characters.has(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

interface Run {
  characters: Characters;
  longest: number;
}
