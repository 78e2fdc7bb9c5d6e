import { joinPieces, totalBytes } from '../pieces.ts';
import { type ChunkList, chunkList } from './chunk-list.ts';
import { parseExactJson } from './exact-numbers.ts';
import { type LongStrings, longStrings, noLongStrings } from './long-strings.ts';
import { scanJson, type StringRange } from './scan.ts';

export interface KeepOptions {
  /** Strings longer than this are kept as bytes. */
  threshold: number;
  nonce: Nonce;
}

/** Makes a text of letters, digits and hyphens that the authors of the document cannot know. Few documents need one. */
export type Nonce = () => string;

export interface ParsedDocument {
  value: unknown;
  strings: LongStrings;
}

const noLimits = { values: Infinity, levels: Infinity, restBytes: Infinity };

/**
 * JSON.parse for documents with a few long strings, for example images in base64. These stay slices of the input, and
 * the value has placeholders for `stringifyWithLongStrings`. Numbers that a double cannot hold keep their digits. Throws
 * a SyntaxError where JSON.parse would.
 */
export function parseKeepingLongStrings(pieces: readonly Buffer[], { threshold, nonce }: KeepOptions): ParsedDocument {
  if (totalBytes(pieces) <= threshold)
    return { value: parseExactJson(joinPieces(pieces).toString()), strings: noLongStrings };
  const json = chunkList(pieces);
  const { longStrings: ranges } = scanJson(json, threshold, noLimits);
  const strings = stringsAt(ranges, { json, nonce });
  return { value: parseExactJson(textWithPlaceholders(restOf(json, ranges), strings)), strings };
}

export const stringsAt = (
  ranges: readonly StringRange[],
  { json, nonce }: { json: ChunkList; nonce: Nonce },
): LongStrings =>
  ranges.length === 0
    ? noLongStrings
    : longStrings(
        nonce(),
        ranges.map(({ start, end }) => json.slices(start, end)),
      );

/** The bytes before, between and after these strings, joined because a character may span two pieces. */
export function restOf(json: ChunkList, ranges: readonly StringRange[]): Buffer[] {
  const starts = [0, ...ranges.map(({ end }) => end)];
  return starts.map((start, index) => joinPieces(json.slices(start, ranges[index]?.start ?? json.length)));
}

/** The document as text, with placeholders for its long strings. */
export function textWithPlaceholders(rest: readonly Buffer[], { byPlaceholder }: LongStrings): string {
  const placeholders = byPlaceholder.size === 0 ? [] : [...byPlaceholder.keys()];
  let text = '';
  for (let at = 0; at < rest.length; at += 1) text += String(rest[at]) + (placeholders[at] ?? '');
  return text;
}
