import { redactText, type Redaction } from './redact.ts';
import { createSizeCounter } from './size.ts';
import type { TextRules } from './text-rules.ts';

/** Redacts the texts of one request or answer, which have a maximum size together. */
export interface TextGuard {
  /** Throws `guardrail_blocked`. */
  text(text: string): string;
}

export function createTextGuard(rules: TextRules, redaction: Redaction): TextGuard {
  const count = createSizeCounter(rules, redaction);
  return {
    text(text) {
      count(text);
      return redactText(text, rules, redaction);
    },
  };
}
