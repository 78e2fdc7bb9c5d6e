import type { FindSpans } from '../span.ts';
import { charactersOf, runEnd, runStart } from './characters.ts';

const local = charactersOf(['09', 'AZ', 'az', '..', '__', '%%', '++', '--', "''"], { others: true });
const domain = charactersOf(['09', 'AZ', 'az', '..', '--'], { others: true });
const longestLocal = 64;
const longestDomain = 255;

/** E-mail addresses: a local part and a domain with a dot. */
export const findEmails: FindSpans = (text) => {
  const spans = [];
  for (let sign = text.indexOf('@'); sign !== -1; sign = text.indexOf('@', sign + 1)) {
    const start = withoutLeading(text, runStart(text, sign, { characters: local, longest: longestLocal }), sign);
    const end = withoutTrailing(text, sign + 1, runEnd(text, sign + 1, { characters: domain, longest: longestDomain }));
    const host = text.slice(sign + 1, end);
    const lastDot = host.lastIndexOf('.');
    if (start === sign || lastDot < 1 || host.length - lastDot < 3 || host.startsWith('.')) continue;
    const previous = spans.at(-1);
    if (previous === undefined || previous.end <= start) spans.push({ start, end });
    else previous.end = end;
  }
  return spans;
};

const isMark = (character: string | undefined): boolean => character === '.' || character === '-' || character === "'";

function withoutLeading(text: string, start: number, sign: number): number {
  let at = start;
  while (at < sign && isMark(text[at])) at += 1;
  return at;
}

function withoutTrailing(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isMark(text[at - 1])) at -= 1;
  return at;
}
