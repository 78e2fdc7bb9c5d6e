const escapes = /\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g;

/** The text of a JSON string, given without its quotes. What is no escape of JSON is left as it is. */
export const withoutEscapes = (written: string): string =>
  written.includes('\\') ? written.replace(escapes, (escape) => JSON.parse(`"${escape}"`)) : written;

/** The escape at a backslash; the backslash alone where it is none. */
export const escapeAt = (written: string, at: number): string =>
  /^\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/.exec(written.slice(at, at + 6))?.[0] ?? '\\';

/** How a text is written in a JSON string, without quotes. */
export const withEscapes = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The length of the escape at a backslash; `undefined` if its end has not arrived. */
export function escapeLength(written: string, at: number): number | undefined {
  const kind = written[at + 1];
  if (kind === undefined) return undefined;
  if (kind !== 'u') return 2;
  const { length = 0 } = /^[\da-fA-F]*/.exec(written.slice(at + 2, at + 6))?.[0] ?? '';
  if (length === 4) return 6;
  return at + 2 + length === written.length ? undefined : 2;
}
