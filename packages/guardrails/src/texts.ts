import { redactParts, type Redaction, type TimedRedaction } from './redact.ts';
import { quickTime, RuleTime } from './rule-time.ts';
import { createSizeCounter } from './size.ts';
import type { TextRules } from './text-rules.ts';

/** Redacts the texts of one request or answer, which have a maximum size together. */
export interface TextGuard {
  /** Throws `guardrail_blocked`. */
  text(text: string): string;
  /** The same for texts that are read as one, such as the parts of a message. */
  parts(texts: readonly string[]): string[];
}

export function createTextGuard(rules: TextRules, { time, ...others }: Redaction): TextGuard {
  const redaction = { ...others, time: time ?? new RuleTime(quickTime) };
  return createCountedGuard(createSizeCounter(rules, redaction), rules, redaction);
}

/** `count` gets every text before it is redacted. */
export function createCountedGuard(
  count: (text: string) => void,
  rules: TextRules,
  redaction: TimedRedaction,
): TextGuard {
  function parts(texts: readonly string[]): string[] {
    for (const text of texts) count(text);
    return redactParts(texts, rules, redaction);
  }
  return { text: (text) => parts([text])[0] ?? text, parts };
}
