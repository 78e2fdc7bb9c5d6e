/** Strings that stay bytes beside a small JSON value, which holds a placeholder in the place of each. */
export interface LongStrings {
  /** Begins every placeholder. */
  readonly mark: string;
  /** Each in slices of what arrived. Its bytes mean the same inside JSON's quotes as outside. */
  readonly byPlaceholder: ReadonlyMap<string, readonly Buffer[]>;
}

/** Ends a placeholder: `~nonce:0~`. All of it passes JSON.stringify unchanged. */
const placeholderEnd = '~';

/** Strings that are known as bytes, to be put into a document by their placeholders, in the order given. */
export function longStrings(nonce: string, strings: readonly (readonly Buffer[])[]): LongStrings {
  const mark = `~${nonce}:`;
  const named = strings.map((slices, index) => [`${mark}${index}${placeholderEnd}`, slices] as const);
  return { mark, byPlaceholder: new Map(named) };
}

/** The strings of several documents, for a document made of them. */
export function mergedLongStrings(all: readonly LongStrings[]): LongStrings {
  const filled = all.filter(({ byPlaceholder }) => byPlaceholder.size > 0);
  const [only] = filled;
  if (only === undefined) return longStrings('none', []);
  if (filled.length === 1) return only;
  // What all marks begin with. It may stand elsewhere too: only whole placeholders count.
  return { mark: '~', byPlaceholder: new Map(filled.flatMap(({ byPlaceholder }) => [...byPlaceholder])) };
}

/** A text cut at its placeholders. */
export interface Spliced {
  readonly parts: readonly SplicedPart[];
  /** What follows the last placeholder, or all there is. */
  readonly rest: string;
}

export interface SplicedPart {
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
