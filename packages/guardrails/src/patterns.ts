import { GatewayError } from '@tallyport/contracts';
import { RE2JS } from 're2js';
import type { TextSpan } from './span.ts';

/** Bounds the time per character: every instruction of a pattern may be active at each of them. */
const largestProgram = 250;
/** Longer matches are found as several ones. */
const windowCharacters = 2048;
/** The longest match that is certainly found whole. */
const overlap = 512;
/** More matches in one text are not redacted one by one: the rest of the text is redacted as a whole. */
export const mostMatches = 2_000;

/** A pattern that matches in linear time. */
export interface TextPattern {
  isIn(text: string): boolean;
  find(text: string): TextSpan[];
}

/** Throws `invalid_parameters` with `param` if the pattern is not valid, too large, or matches the empty text. */
export function compilePattern(source: string, param: string): TextPattern {
  const pattern = compiled(source, param);
  if (pattern.programSize() > largestProgram) {
    throw invalid('is too large. Use fewer or smaller repetitions', param);
  }
  if (pattern.test('')) throw invalid('must not match the empty text', param);
  return { isIn: (text) => pattern.test(text), find: (text) => (pattern.test(text) ? findAll(pattern, text) : []) };
}

function compiled(source: string, param: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    throw new GatewayError('invalid_parameters', `${param} is not a pattern of RE2: ${reason}.`, { param, cause });
  }
}

const invalid = (problem: string, param: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param} ${problem}.`, { param });

/**
 * Every search reads at most one window: to know how far a match extends, the engine may read up to the end of its
 * input, and many matches would make that quadratic. A match that is close to the end of the window is searched again
 * in the next one.
 */
function findAll(pattern: RE2JS, text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let from = 0;
  while (from < text.length) {
    const windowEnd = Math.min(text.length, from + windowCharacters);
    const found = findNext(pattern, text, { start: from, end: windowEnd });
    const isLast = windowEnd === text.length;
    if (found === undefined) from = isLast ? text.length : windowEnd - overlap;
    else if (!isLast && found.start > Math.max(from, windowEnd - overlap)) from = found.start;
    else {
      spans.push(found);
      if (spans.length === mostMatches) return [...spans, { start: found.end, end: text.length }];
      from = found.end;
    }
  }
  return spans;
}

/**
 * The first match in a part of the text, of which the character before it is read as well: it decides about `^` and `\b`.
 * Empty matches, such as those of `\b`, are passed over.
 */
function findNext(pattern: RE2JS, text: string, { start, end }: TextSpan): TextSpan | undefined {
  const begin = Math.max(0, start - 1);
  const matcher = pattern.matcher(text.slice(begin, end));
  let isFound = matcher.find(start - begin);
  while (isFound && matcher.end() === matcher.start()) isFound = matcher.find();
  return isFound ? { start: begin + matcher.start(), end: begin + matcher.end() } : undefined;
}
