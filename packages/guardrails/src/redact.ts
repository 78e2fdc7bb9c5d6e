import type { TextRules, TextRule } from './text-rules.ts';
import { type IsOver, SearchTimeout } from './read-text.ts';
import type { RuleTime } from './rule-time.ts';
import type { TextSpan } from './span.ts';
import { blocked, type GuardedPart, type RuleTally } from './tally.ts';

export interface Match extends TextSpan {
  rule: TextRule;
}

export const timeRule = 'time_limit';

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
  return matches.length < 2
    ? matches
    : matches.toSorted((one, other) => one.start - other.start || other.end - one.end);
}

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
export function redactText(text: string, check: SearchedRules, redaction: TimedRedaction): string {
  const matches = matchesIn(text, check, redaction);
  const { part, tally } = redaction;
  if (matches.length === 0) return text;
  for (const { rule } of matches) tally.add(rule.name, rule.action);
  const blocking = matches.find(({ rule }) => rule.action === 'block');
  if (blocking !== undefined) throw blocked(blocking.rule.name, part);
  let redacted = '';
  let at = 0;
  for (const match of withoutOverlaps(matches)) {
    redacted += text.slice(at, match.start) + placeholder(match);
    at = match.end;
  }
  return redacted + text.slice(at);
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
