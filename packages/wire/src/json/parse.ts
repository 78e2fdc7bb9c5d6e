import { type ChunkList, chunkList } from './chunk-list.ts';
import { findLongStrings, type StringRange } from './find-long-strings.ts';
import { type LongStrings, longStrings } from './long-strings.ts';

export interface KeepOptions {
  /** Strings of more bytes than this stay bytes. */
  threshold: number;
  /** What nobody who had a part in the document can know, of letters, digits and hyphens. */
  nonce: string;
}

export interface ParsedDocument {
  value: unknown;
  strings: LongStrings;
}

/**
 * JSON.parse for documents whose size is a few long strings, such as images in base64: those stay slices of the pieces the
 * document came in, and the value has placeholders for `stringifyWithLongStrings`. Throws SyntaxError where JSON.parse would.
 */
export function parseKeepingLongStrings(pieces: readonly Buffer[], { threshold, nonce }: KeepOptions): ParsedDocument {
  const json = chunkList(pieces);
  const spans = findLongStrings(json, threshold);
  const strings = longStrings(
    nonce,
    spans.map(({ start, end }) => json.slices(start, end)),
  );
  return { value: JSON.parse(replaced(json, spans, [...strings.byPlaceholder.keys()])), strings };
}

function replaced(json: ChunkList, spans: readonly StringRange[], placeholders: readonly string[]): string {
  let text = '';
  let from = 0;
  for (const [index, { start, end }] of spans.entries()) {
    text += textOf(json, from, start) + placeholders[index];
    from = end;
  }
  return text + textOf(json, from, json.length);
}

/** Joined first: a character may be in two pieces. */
function textOf(json: ChunkList, start: number, end: number): string {
  const slices = json.slices(start, end);
  const [only] = slices;
  return (slices.length === 1 && only !== undefined ? only : Buffer.concat(slices)).toString();
}
