import { redactText, type Redaction } from './redact.ts';
import { RuleTime } from './rule-time.ts';
import { createSizeCounter } from './size.ts';
import type { TextRules } from './text-rules.ts';

/** Redacts the texts of one request or answer, which have a maximum size together. */
export interface TextGuard {
  /** Throws `guardrail_blocked`. */
  text(text: string): string;
}

/** For rules that run where other requests wait. */
const mostMs = 100;

export function createTextGuard(rules: TextRules, { time, ...others }: Redaction): TextGuard {
  const redaction = { ...others, time: time ?? new RuleTime({ mostMs }) };
  const count = createSizeCounter(rules, redaction);
  return {
    text(text) {
      count(text);
      return redactText(text, rules, redaction);
    },
  };
}
