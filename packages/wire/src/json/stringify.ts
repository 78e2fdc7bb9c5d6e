import { type LongStrings, spliced } from './long-strings.ts';

/**
 * JSON.stringify with every placeholder replaced by its string, which is not copied: the slices are the document when
 * they are written one after the other. A placeholder counts wherever it stands, also inside a longer string.
 */
export const stringifyWithLongStrings = (value: object, strings: LongStrings): Buffer[] =>
  textWithLongStrings(JSON.stringify(value), strings);

/** A text with every placeholder replaced, in slices likewise. */
export function textWithLongStrings(text: string, strings: LongStrings): Buffer[] {
  const { parts, rest } = spliced(text, strings);
  return [...parts.flatMap(({ before, slices }) => [Buffer.from(before), ...slices]), Buffer.from(rest)];
}

/** Bytes of a text with its placeholders replaced. */
export function byteLengthWithLongStrings(text: string, strings: LongStrings): number {
  const { parts, rest } = spliced(text, strings);
  return parts.reduce(
    (sum, { before, slices }) => sum + Buffer.byteLength(before) + lengthOf(slices),
    Buffer.byteLength(rest),
  );
}

const lengthOf = (slices: readonly Buffer[]): number => slices.reduce((sum, { length }) => sum + length, 0);
