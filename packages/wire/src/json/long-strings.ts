/** Strings that stay bytes beside a small JSON value, which holds a placeholder in the place of each. */
export interface LongStrings {
  /** Begins every placeholder. */
  readonly mark: string;
  /** UTF-8 that means the same inside JSON's quotes as outside: nothing in it is or needs an escape. */
  readonly byPlaceholder: ReadonlyMap<string, Buffer>;
}

/** Ends a placeholder: `~nonce:0~`. All of it passes JSON.stringify unchanged. */
const placeholderEnd = '~';

export function longStrings(nonce: string, strings: readonly Buffer[]): LongStrings {
  const mark = `~${nonce}:`;
  const named = strings.map((string, index) => [`${mark}${index}${placeholderEnd}`, string] as const);
  return { mark, byPlaceholder: new Map(named) };
}

/** The strings of several documents, for a document made of them. */
export function mergedLongStrings(all: readonly LongStrings[]): LongStrings {
  const [first, ...others] = all.filter(({ byPlaceholder }) => byPlaceholder.size > 0);
  if (first === undefined) return all[0] ?? longStrings('', []);
  if (others.length === 0) return first;
  // What several marks have in common. It may stand elsewhere too: only whole placeholders count.
  const mark = placeholderEnd;
  return { mark, byPlaceholder: new Map([first, ...others].flatMap(({ byPlaceholder }) => [...byPlaceholder])) };
}

/** A text cut at its placeholders. */
export interface Spliced {
  readonly parts: readonly { before: string; string: Buffer }[];
  /** What follows the last placeholder, or all there is. */
  readonly rest: string;
}

export function spliced(text: string, { mark, byPlaceholder }: LongStrings): Spliced {
  const parts: { before: string; string: Buffer }[] = [];
  if (byPlaceholder.size === 0) return { parts, rest: text };
  let from = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const end = text.indexOf(placeholderEnd, at + mark.length) + placeholderEnd.length;
    const string = byPlaceholder.get(text.slice(at, end));
    if (string === undefined) continue;
    parts.push({ before: text.slice(from, at), string });
    from = end;
  }
  return { parts, rest: text.slice(from) };
}
