import type { TextRules, TextRule } from './text-rules.ts';
import { type IsOver, SearchTimeout } from './read-text.ts';
import type { RuleTime } from './rule-time.ts';
import type { TextSpan } from './span.ts';
import { blocked, type GuardedPart, type RuleTally } from './tally.ts';

export interface Match extends TextSpan {
  rule: TextRule;
}

const timeRule = 'time_limit';

/** What rules found in a text, in order. Throws `guardrail_blocked` if they are not finished in time and must be. */
export function matchesIn(text: string, check: SearchedRules, redaction: TimedRedaction): Match[] {
  const matches: Match[] = [];
  redaction.time.search((isOver) => {
    for (const rule of check.rules) {
      for (const { start, end } of findInTime(rule, text, isOver) ?? undecided(check, redaction)) {
        matches.push({ start, end, rule });
      }
    }
  });
  return matches.length < 2 ? matches : inOrder(matches);
}

const inOrder = (matches: readonly Match[]): Match[] =>
  matches.toSorted((one, other) => one.start - other.start || other.end - one.end);

function findInTime(rule: TextRule, text: string, isOver: IsOver): TextSpan[] | undefined {
  try {
    return rule.find(text, isOver);
  } catch (thrown) {
    if (thrown instanceof SearchTimeout) return undefined;
    throw thrown;
  }
}

function undecided({ onTimeout }: SearchedRules, { time, tally, part }: TimedRedaction): TextSpan[] {
  const isNew = time.miss();
  if (isNew) tally.add(timeRule, onTimeout === 'allow' ? 'skip' : 'block');
  if (onTimeout === 'block') throw blocked(timeRule, part);
  return [];
}

/** Overlapping matches become one, with the name of the first. */
export function withoutOverlaps(matches: readonly Match[]): Match[] {
  const merged: Match[] = [];
  for (const match of matches) {
    const last = merged.at(-1);
    if (last === undefined || match.start >= last.end) merged.push({ ...match });
    else last.end = Math.max(last.end, match.end);
  }
  return merged;
}

export const placeholder = ({ rule }: Match): string => `[${rule.name}]`;

/** Redacts one text. Throws `guardrail_blocked`; `tally` has what was found in both cases. */
export const redactText = (text: string, check: SearchedRules, redaction: TimedRedaction): string =>
  redactParts([text], check, redaction)[0] ?? text;

/**
 * Redacts texts that are read as one: also a match that is cut over some of them, of which each gets the placeholder, so
 * that none becomes empty. Throws like `redactText`.
 */
export function redactParts(texts: readonly string[], check: SearchedRules, redaction: TimedRedaction): string[] {
  const spans = spansOf(texts);
  const own = texts.flatMap((text, at) => moved(matchesIn(text, check, redaction), spans[at]?.start ?? 0));
  const matches = texts.length < 2 ? own : withCutMatches(own, matchesIn(texts.join(''), check, redaction), spans);
  const { part, tally } = redaction;
  if (matches.length === 0) return [...texts];
  for (const { rule } of matches) tally.add(rule.name, rule.action);
  const blocking = matches.find(({ rule }) => rule.action === 'block');
  if (blocking !== undefined) throw blocked(blocking.rule.name, part);
  return written(texts, spans, withoutOverlaps(matches));
}

/** Where each text is in all of them together. */
function spansOf(texts: readonly string[]): TextSpan[] {
  let start = 0;
  return texts.map((text) => ({ start, end: (start += text.length) }));
}

const moved = (matches: readonly Match[], by: number): readonly Match[] =>
  by === 0 ? matches : matches.map((match) => ({ ...match, start: match.start + by, end: match.end + by }));

/** Adds matches that are in no text as a whole, in place of what the same rule found of them. */
function withCutMatches(own: readonly Match[], all: readonly Match[], spans: readonly TextSpan[]): readonly Match[] {
  let at = 0;
  const cut = all.filter(({ start, end }) => {
    while ((spans[at]?.end ?? Infinity) <= start) at += 1;
    return end > (spans[at]?.end ?? Infinity);
  });
  if (cut.length === 0) return own;
  const known = new Set(cut);
  const ends = new Map<TextRule, number>();
  return inOrder([...own, ...cut]).filter((match) => {
    const end = ends.get(match.rule) ?? 0;
    if (known.has(match)) ends.set(match.rule, Math.max(end, match.end));
    return known.has(match) || match.end > end;
  });
}

/** The texts with placeholders for matches that do not overlap. */
function written(texts: readonly string[], spans: readonly TextSpan[], matches: readonly Match[]): string[] {
  let next = 0;
  return texts.map((text, index) => {
    const { start, end } = spans[index] ?? { start: 0, end: 0 };
    if (text === '') return text;
    let redacted = '';
    let at = start;
    for (let match = matches[next]; match !== undefined && match.start < end; match = matches[next]) {
      redacted += text.slice(at - start, Math.max(match.start, at) - start) + placeholder(match);
      at = match.end;
      // It goes on in the next text.
      if (match.end > end) break;
      next += 1;
    }
    return redacted + text.slice(at - start);
  });
}

type SearchedRules = Pick<TextRules, 'onTimeout' | 'rules'>;

export interface Redaction {
  part: GuardedPart;
  tally: RuleTally;
  time?: RuleTime;
}

export interface TimedRedaction extends Redaction {
  time: RuleTime;
}
