import { type ChunkList, chunkList } from './chunk-list.ts';
import { type LongStrings, longStrings } from './long-strings.ts';
import { scanJson, type StringRange } from './scan.ts';

export interface KeepOptions {
  /** Strings longer than this are kept as bytes. */
  threshold: number;
  /** A text of letters, digits and hyphens that the authors of the document cannot know. */
  nonce: string;
}

export interface ParsedDocument {
  value: unknown;
  strings: LongStrings;
}

const noLimits = { values: Infinity, levels: Infinity, restBytes: Infinity };

/**
 * JSON.parse for documents with a few long strings, for example images in base64. These stay slices of the input, and
 * the value has placeholders for `stringifyWithLongStrings`. Throws a SyntaxError where JSON.parse would.
 */
export function parseKeepingLongStrings(pieces: readonly Buffer[], { threshold, nonce }: KeepOptions): ParsedDocument {
  const json = chunkList(pieces);
  const ranges = json.length > threshold ? scanJson(json, threshold, noLimits).longStrings : [];
  const strings = longStrings(
    nonce,
    ranges.map(({ start, end }) => json.slices(start, end)),
  );
  return { value: JSON.parse(textWithPlaceholders(restOf(json, ranges), strings)), strings };
}

/** The bytes before, between and after these strings, joined because a character may span two pieces. */
export function restOf(json: ChunkList, ranges: readonly StringRange[]): Buffer[] {
  const starts = [0, ...ranges.map(({ end }) => end)];
  return starts.map((start, index) => {
    const slices = json.slices(start, ranges[index]?.start ?? json.length);
    const [only] = slices;
    return slices.length === 1 && only !== undefined ? only : Buffer.concat(slices);
  });
}

/** The document as text, with placeholders for its long strings. */
export function textWithPlaceholders(rest: readonly Buffer[], { byPlaceholder }: LongStrings): string {
  const placeholders = [...byPlaceholder.keys()];
  return rest.map((part, index) => part.toString() + (placeholders[index] ?? '')).join('');
}
