import type { ChunkList } from './chunk-list.ts';
import { isPlainText } from './plain-text.ts';

/** Where a string's text stands: after its opening quote, up to its closing one. */
export interface StringRange {
  start: number;
  end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * A document of more strings does not owe its size to a few long ones, and looking on would cost more than parsing it:
 * so many take about 3 ms.
 */
const mostQuotes = 100_000;

/**
 * The values longer than `threshold` bytes that are plain text. Whatever is not, or is broken, is left for JSON.parse to
 * judge, and so are names of members, which have to be compared.
 */
export function findLongStrings(json: ChunkList, threshold: number): StringRange[] {
  const found: StringRange[] = [];
  const nextQuote = quotesOf(json);
  let at = 0;
  while (json.length - at > threshold) {
    const opening = nextQuote(at);
    const closing = opening < 0 ? -1 : closingQuote(json, opening + 1, nextQuote);
    if (closing < 0) break;
    const span = { start: opening + 1, end: closing };
    if (span.end - span.start > threshold && isPlainValue(json, span)) found.push(span);
    at = closing + 1;
  }
  return found;
}

type NextQuote = (from: number) => number;

/** Gives up, as if there were none, after too many. */
function quotesOf(json: ChunkList): NextQuote {
  let left = mostQuotes;
  return (from) => (left-- > 0 ? json.indexOf(quote, from) : -1);
}

function closingQuote(json: ChunkList, start: number, nextQuote: NextQuote): number {
  let at = nextQuote(start);
  while (at >= 0 && isEscaped(json, start, at)) at = nextQuote(at + 1);
  return at;
}

/** By an odd number of backslashes: of two, the first escapes the second. */
function isEscaped(json: ChunkList, start: number, at: number): boolean {
  let before = at - 1;
  while (before >= start && json.at(before) === backslash) before--;
  return (at - before) % 2 === 0;
}

const isPlainValue = (json: ChunkList, { start, end }: StringRange): boolean =>
  !isMemberName(json, end + 1) && json.slices(start, end).every(isPlainText);

function isMemberName(json: ChunkList, after: number): boolean {
  let at = after;
  while (space.has(json.at(at) ?? 0)) at++;
  return json.at(at) === colon;
}
