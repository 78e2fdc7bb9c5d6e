/** A part of a text, from `start` up to and without `end`. */
export interface TextSpan {
  start: number;
  end: number;
}

/** Finds parts of a text, in order, in time that grows linearly with its length. */
export type FindSpans = (text: string) => TextSpan[];

/** Spans in order; those that overlap become one. */
export function merged(spans: readonly TextSpan[]): TextSpan[] {
  const result: TextSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push({ ...span });
    else last.end = Math.max(last.end, span.end);
  }
  return result;
}
