import ipaddr from 'ipaddr.js';
import { type FindSpans, merged, type TextSpan } from '../span.ts';
import { type Characters, charactersOf, isAt, runEnd, wordCharacters } from './characters.ts';

interface Version {
  characters: Characters;
  longest: number;
  isAddress(text: string): boolean;
}

const version4: Version = {
  characters: charactersOf(['09', '..']),
  longest: 15,
  isAddress: (text) => ipaddr.IPv4.isValidFourPartDecimal(text),
};

/** In code, `a::b` is a name: an address has a digit. */
const version6: Version = {
  characters: charactersOf(['09', 'AF', 'af', '..', '::']),
  longest: 45,
  isAddress: (text) => text.length > 2 && text.includes(':') && /[0-9]/.test(text) && ipaddr.IPv6.isValid(text),
};

/** Addresses of IPv4 and IPv6. Numbers of versions with four parts look the same. */
export const findIpAddresses: FindSpans = (text) =>
  merged([...findVersion(text, version6), ...findVersion(text, version4)]);

function findVersion(text: string, { characters, longest, isAddress }: Version): TextSpan[] {
  const spans: TextSpan[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (!characters.has(text.charCodeAt(at))) continue;
    const run = runEnd(text, at, { characters, longest: Infinity });
    const start = withoutLabel(text, at, run);
    const end = withoutMarks(text, start, run);
    const isWhole = !isAt(text, at - 1, wordCharacters) && !isAt(text, end, wordCharacters);
    if (isWhole && end - start <= longest && isAddress(text.slice(start, end))) spans.push({ start, end });
    at = run - 1;
  }
  return spans;
}

const withoutLabel = (text: string, start: number, end: number): number =>
  start < end && text[start] === ':' && text[start + 1] !== ':' ? start + 1 : start;

/** The end of a sentence or of a label is not part of the address. */
function withoutMarks(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && (text[at - 1] === '.' || (text[at - 1] === ':' && text[at - 2] !== ':'))) at -= 1;
  return at;
}
