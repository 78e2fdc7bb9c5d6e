import { type LongStrings, noLongStrings } from '../json/long-strings.ts';
import { stringifyWithLongStrings, textWithLongStrings } from '../json/stringify.ts';
import { joinPieces, totalBytes } from '../pieces.ts';

/** A whole answer: an object that becomes JSON last, or JSON such as a vendor's. */
export interface AnswerDocument {
  /** The answer is the vendor's own, in the client's API. */
  readonly isPassed: boolean;
  /** Bytes that have to be decoded before the answer can be read: all of JSON, or the long strings. */
  readonly encodedBytes: number;
  /** The answer as an object. Never change it: several steps read it. */
  value(): unknown;
  /** The answer as JSON, in a new list of slices. Long strings are not copied. */
  slices(): Buffer[];
}

export function documentOf(value: object, strings: LongStrings = noLongStrings): AnswerDocument {
  let slices: readonly Buffer[] | undefined;
  let restored: unknown;
  return {
    isPassed: false,
    encodedBytes: longBytesOf(strings),
    value: () => (restored ??= withStrings(value, strings)),
    slices: () => [...(slices ??= stringifyWithLongStrings(value, strings))],
  };
}

/** An answer that is JSON already. */
export function writtenDocument(json: readonly Buffer[], isPassed = false): AnswerDocument {
  let parsed: unknown;
  return {
    isPassed,
    encodedBytes: totalBytes(json),
    value: () => (parsed ??= JSON.parse(Buffer.concat(json).toString())),
    slices: () => [...json],
  };
}

function longBytesOf({ byPlaceholder }: LongStrings): number {
  let bytes = 0;
  for (const slices of byPlaceholder.values()) bytes += totalBytes(slices);
  return bytes;
}

/** A copy with the long strings in their places, which are also inside other strings. */
function withStrings(part: unknown, strings: LongStrings): unknown {
  if (strings.byPlaceholder.size === 0) return part;
  if (typeof part === 'string') {
    return part.includes(strings.mark) ? joinPieces(textWithLongStrings(part, strings)).toString() : part;
  }
  if (Array.isArray(part)) return part.map((each) => withStrings(each, strings));
  // Numbers with their digits are objects of another kind.
  if (Object.getPrototypeOf(part ?? 0) !== Object.prototype) return part;
  return Object.fromEntries(Object.entries(part as object).map(([name, each]) => [name, withStrings(each, strings)]));
}
