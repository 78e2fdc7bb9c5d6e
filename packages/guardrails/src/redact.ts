import type { TextRules, TextRule } from './text-rules.ts';
import type { TextSpan } from './span.ts';
import { blocked, type GuardedPart, type RuleTally } from './tally.ts';

export interface Match extends TextSpan {
  rule: TextRule;
}

/** What rules found in a text, in order. */
export function matchesIn(text: string, rules: readonly TextRule[]): Match[] {
  const matches: Match[] = [];
  for (const rule of rules) for (const { start, end } of rule.find(text)) matches.push({ start, end, rule });
  return matches.length < 2
    ? matches
    : matches.toSorted((one, other) => one.start - other.start || other.end - one.end);
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
export function redactText(text: string, { rules }: Pick<TextRules, 'rules'>, { part, tally }: Redaction): string {
  const matches = matchesIn(text, rules);
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

export interface Redaction {
  part: GuardedPart;
  tally: RuleTally;
}
