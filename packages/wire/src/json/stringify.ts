import { totalBytes } from '../pieces.ts';
import { type LongStrings, spliced } from './long-strings.ts';

/**
 * JSON.stringify that replaces every placeholder by its string without copying it: returns slices to be written one
 * after the other. Placeholders inside longer strings are replaced as well.
 */
export const stringifyWithLongStrings = (value: object, strings: LongStrings): Buffer[] =>
  textWithLongStrings(JSON.stringify(value), strings);

/** The same for a text: replaces every placeholder and returns slices. */
export function textWithLongStrings(text: string, strings: LongStrings): Buffer[] {
  if (strings.byPlaceholder.size === 0) return [Buffer.from(text)];
  const { parts, rest } = spliced(text, strings);
  return [...parts.flatMap(({ before, slices }) => [Buffer.from(before), ...slices]), Buffer.from(rest)];
}

/** Bytes of a text with its placeholders replaced. */
export function byteLengthWithLongStrings(text: string, strings: LongStrings): number {
  const { parts, rest } = spliced(text, strings);
  return parts.reduce(
    (sum, { before, slices }) => sum + Buffer.byteLength(before) + totalBytes(slices),
    Buffer.byteLength(rest),
  );
}
