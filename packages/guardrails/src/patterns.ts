import { GatewayError } from '@tallyport/contracts';
import { MatcherInput, RE2JS } from 're2js';
import { type IsOver, ReadText } from './read-text.ts';
import type { TextSpan } from './span.ts';

/** Bounds the time per character: every instruction of a pattern may be active at each of them. */
const largestProgram = 250;
/** More matches in one text are not redacted one by one: the rest of the text is redacted as a whole. */
export const mostMatches = 2_000;
/** How often the searches for all matches may read a text, and how much more a short one. */
const mostReadings = 16;
const spareReads = 65_536;

/** A pattern that matches in linear time. */
interface TextPattern {
  /** Throws `SearchTimeout` once `isOver` says so. */
  find(text: string, isOver?: IsOver): TextSpan[];
}

/** Throws `invalid_parameters` with `param` if the pattern is not valid, too large, or matches the empty text. */
export function compilePattern(source: string, param: string): TextPattern {
  const pattern = compiled(source, param);
  if (pattern.programSize() > largestProgram) {
    throw invalid('is too large. Use fewer or smaller repetitions', param);
  }
  if (pattern.test('')) throw invalid('must not match the empty text', param);
  return { find: (text, isOver = () => false) => findAll(pattern, text, isOver) };
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
 * To know where a match begins and ends, a search may read up to the end of the text, and many of them would make that
 * quadratic. Once they have read the text too often, what follows is one match, so that nothing of it passes.
 */
function findAll(pattern: RE2JS, text: string, isOver: IsOver): TextSpan[] {
  if (!isIn(pattern, new ReadText(text, isOver))) return [];
  const read = new ReadText(text, isOver);
  const matcher = pattern.matcher(MatcherInput.utf16(read));
  const spans: TextSpan[] = [];
  const mostReads = mostReadings * text.length + spareReads;
  let from = 0;
  while (matcher.find()) {
    const span = { start: matcher.start(), end: matcher.end() };
    // Those of `\b`, for example.
    if (span.start === span.end) continue;
    spans.push(span);
    from = span.end;
    if (spans.length < mostMatches && read.reads < mostReads) continue;
    if (from < text.length) spans.push({ start: from, end: text.length });
    break;
  }
  return spans;
}

/** Much quicker than to find a match. The engine accepts objects of `String`; its types do not say so. */
const isIn = (pattern: RE2JS, text: ReadText): boolean => pattern.test(text as unknown as string);
