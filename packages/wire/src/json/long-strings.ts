/** Strings kept as bytes beside a small JSON value, which has a placeholder for each. */
export interface LongStrings {
  /** The start of every placeholder. */
  readonly mark: string;
  /** Each string as slices of the input. Its bytes need no escaping inside JSON's quotes. */
  readonly byPlaceholder: ReadonlyMap<string, readonly Buffer[]>;
}

/** Ends a placeholder: `~nonce:0~`. All of it passes JSON.stringify unchanged. */
const placeholderEnd = '~';

/** Of a document without long strings. */
export const noLongStrings: LongStrings = { mark: '~', byPlaceholder: new Map() };

/** Placeholders for strings that are already bytes, in the given order. */
export function longStrings(nonce: string, strings: readonly (readonly Buffer[])[]): LongStrings {
  const mark = `~${nonce}:`;
  const named = strings.map((slices, index) => [`${mark}${index}${placeholderEnd}`, slices] as const);
  return { mark, byPlaceholder: new Map(named) };
}

/** Combines the strings of several documents, for a document made of them. */
export function mergedLongStrings(all: readonly LongStrings[]): LongStrings {
  const filled = all.filter(({ byPlaceholder }) => byPlaceholder.size > 0);
  const [only] = filled;
  if (only === undefined) return noLongStrings;
  if (filled.length === 1) return only;
  // The common start of all marks. It may occur elsewhere too; only complete placeholders count.
  return { mark: '~', byPlaceholder: new Map(filled.flatMap(({ byPlaceholder }) => [...byPlaceholder])) };
}

/** A text cut at its placeholders. */
interface Spliced {
  readonly parts: readonly SplicedPart[];
  /** The text after the last placeholder, or all of it. */
  readonly rest: string;
}

interface SplicedPart {
  readonly before: string;
  readonly slices: readonly Buffer[];
}

export function spliced(text: string, { mark, byPlaceholder }: LongStrings): Spliced {
  const parts: SplicedPart[] = [];
  if (byPlaceholder.size === 0) return { parts, rest: text };
  let from = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, Math.max(from, at + 1))) {
    const end = text.indexOf(placeholderEnd, at + mark.length) + placeholderEnd.length;
    const slices = byPlaceholder.get(text.slice(at, end));
    if (slices === undefined) continue;
    parts.push({ before: text.slice(from, at), slices });
    from = end;
  }
  return { parts, rest: text.slice(from) };
}
