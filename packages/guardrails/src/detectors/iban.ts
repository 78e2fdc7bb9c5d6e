import type { FindSpans } from '../span.ts';
import { alphanumerics, charactersOf, digits, isAt, wordCharacters } from './characters.ts';

const letters = charactersOf(['AZ', 'az']);

/** The length of an IBAN by country, from the registry of SWIFT. */
const lengths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI FK FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ DZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, countries]) => countries.split(' ').map((country) => [country, Number(length)] as const)),
);

/** International bank account numbers with a correct checksum, with or without spaces. */
export const findIbans: FindSpans = (text) => {
  const spans = [];
  for (let at = 0; at + 4 <= text.length; at += 1) {
    if (!isAt(text, at + 2, digits) || !isAt(text, at + 3, digits)) continue;
    if (!isAt(text, at, letters) || !isAt(text, at + 1, letters) || isAt(text, at - 1, wordCharacters)) continue;
    const end = ibanEnd(text, at);
    if (end === undefined) continue;
    spans.push({ start: at, end });
    at = end - 1;
  }
  return spans;
};

function ibanEnd(text: string, start: number): number | undefined {
  const length = lengths.get(text.slice(start, start + 2).toUpperCase());
  if (length === undefined) return undefined;
  let read = '';
  let at = start;
  while (read.length < length && isAt(text, at, alphanumerics)) {
    read += text[at];
    at += 1;
    if (read.length < length && text[at] === ' ') at += 1;
  }
  return read.length === length && !isAt(text, at, wordCharacters) && hasChecksum(read.toUpperCase()) ? at : undefined;
}

/** ISO 7064: the number with its first four characters at the end, letters as 10 to 35, is 1 modulo 97. */
function hasChecksum(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
