import type { FindSpans } from '../span.ts';
import { digits, isAt, wordCharacters } from './characters.ts';
import { readSpacedDigits } from './spaced-digits.ts';

const fewestDigits = 13;
const mostDigits = 19;

/** Numbers of payment cards, with or without spaces or hyphens: 13 to 19 digits with a correct checksum. */
export const findCards: FindSpans = (text) => {
  const spans = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!isAt(text, at, digits)) continue;
    const end = isAt(text, at - 1, wordCharacters) ? undefined : cardEnd(text, at);
    if (end !== undefined) {
      spans.push({ start: at, end });
      at = end - 1;
    } else while (isAt(text, at + 1, digits)) at += 1;
  }
  return spans;
};

/** The end of the longest card number that begins here. */
function cardEnd(text: string, start: number): number | undefined {
  if (!isIssued(text.charCodeAt(start))) return undefined;
  const { digits: read, groups } = readSpacedDigits(text, start, mostDigits);
  const fitting = groups.findLast(
    ({ count, end }) =>
      count >= fewestDigits &&
      count <= mostDigits &&
      !isAt(text, end, wordCharacters) &&
      hasLuhnChecksum(read.slice(0, count)),
  );
  return fitting?.end;
}

/** Payment cards begin with 2 to 6. */
const isIssued = (code: number): boolean => code >= 0x32 && code <= 0x36;

function hasLuhnChecksum(number: string): boolean {
  let sum = 0;
  for (let at = 0; at < number.length; at += 1) {
    const digit = Number(number[number.length - 1 - at]);
    const doubled = digit * 2;
    sum += at % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
