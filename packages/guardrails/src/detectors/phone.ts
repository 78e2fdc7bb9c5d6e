import type { FindSpans } from '../span.ts';
import { charactersOf, digits, isAt, runEnd, wordCharacters } from './characters.ts';

const numberCharacters = charactersOf(['09', '++', '((', '))', '  ', '--', '..', '//']);
const longestNumber = 32;

/**
 * Telephone numbers: international ones that begin with `+`, North American ones in groups of 3, 3 and 4 digits, and
 * national ones of an area code with 0 and a number. Digits without any mark are no telephone number.
 */
export const findPhones: FindSpans = (text) => {
  const spans = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!beginnings.has(code)) continue;
    const end = isAt(text, at - 1, partOfNumber) ? undefined : phoneEnd(text, at);
    if (end !== undefined) {
      spans.push({ start: at, end });
      at = end - 1;
    } else while (digits.has(code) && isAt(text, at + 1, digits)) at += 1;
  }
  return spans;
};

const beginnings = charactersOf(['09', '++', '((']);
const partOfNumber = charactersOf(['09', 'AZ', 'az', '__', '++', '..', '//', '--'], { others: true });

function phoneEnd(text: string, start: number): number | undefined {
  const candidate = text.slice(start, runEnd(text, start, { characters: numberCharacters, longest: longestNumber }));
  for (const form of forms) {
    const found = form.exec(candidate)?.[0];
    if (found !== undefined && !isAt(text, start + found.length, wordCharacters)) return start + found.length;
  }
  return undefined;
}

/** Applied to at most 32 characters. */
const forms: readonly RegExp[] = [
  /^\+(?:[ .\-/]?\(?\d\)?){7,15}(?!\d)/,
  /^(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?!\d)/,
  /^\(?0\d{2,4}\)?[ /-]{1,2}\d{3,5}[ -]?\d{3,5}(?!\d)/,
];
