import type { FindSpans } from '../span.ts';
import { charactersOf, isAt, runEnd } from './characters.ts';

const base64url = charactersOf(['09', 'AZ', 'az', '__', '--']);
const tokenCharacters = charactersOf(['09', 'AZ', 'az', '__', '--', '..']);

/** JSON Web Tokens: three parts in base64url, the first two of them JSON objects. */
export const findJwts: FindSpans = (text) => {
  const spans = [];
  let start = text.indexOf('eyJ');
  while (start !== -1) {
    const end = runEnd(text, start, { characters: tokenCharacters, longest: Infinity });
    const parts = text.slice(start, end).split('.', 4);
    if (!isAt(text, start - 1, base64url) && isToken(parts)) {
      spans.push({ start, end: start + parts.slice(0, 3).join('.').length });
    }
    start = text.indexOf('eyJ', end);
  }
  return spans;
};

const isToken = ([header = '', payload = '', signature]: string[]): boolean =>
  header.length >= 10 && payload.startsWith('eyJ') && payload.length >= 10 && signature !== undefined;
