import { findLongStrings, type Span } from './find-long-strings.ts';
import { type LongStrings, longStrings } from './long-strings.ts';

export interface KeepOptions {
  /** Strings of more bytes than this stay bytes. */
  threshold: number;
  /** What nobody who had a part in the document can know, of letters, digits and hyphens. */
  nonce: string;
}

export interface Kept {
  value: unknown;
  strings: LongStrings;
}

/**
 * JSON.parse for documents whose size is a few long strings, such as images in base64: those stay slices of `json`, and
 * the value has placeholders for `stringifyWithLongStrings`. Throws SyntaxError where JSON.parse would.
 */
export function parseKeepingLongStrings(json: Buffer, { threshold, nonce }: KeepOptions): Kept {
  const spans = findLongStrings(json, threshold);
  const strings = longStrings(
    nonce,
    spans.map(({ start, end }) => json.subarray(start, end)),
  );
  return { value: JSON.parse(replaced(json, spans, [...strings.byPlaceholder.keys()])), strings };
}

function replaced(json: Buffer, spans: readonly Span[], placeholders: readonly string[]): string {
  let text = '';
  let from = 0;
  for (const [index, { start, end }] of spans.entries()) {
    text += json.toString('utf8', from, start) + placeholders[index];
    from = end;
  }
  return text + json.toString('utf8', from);
}
