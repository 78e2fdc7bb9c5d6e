import { digits, isAt } from './characters.ts';

interface SpacedDigits {
  digits: string;
  /** The ends of the groups: how many digits there are up to each, and where it is in the text. */
  groups: readonly { count: number; end: number }[];
}

/** Reads digits in groups with one space or hyphen between them, from a place where a group begins. */
export function readSpacedDigits(text: string, start: number, most: number): SpacedDigits {
  let read = '';
  const groups: { count: number; end: number }[] = [];
  let at = start;
  while (read.length <= most && isAt(text, at, digits)) {
    read += text[at];
    at += 1;
    if (isAt(text, at, digits)) continue;
    groups.push({ count: read.length, end: at });
    if (text[at] === ' ' || text[at] === '-') at += 1;
  }
  return { digits: read, groups };
}
