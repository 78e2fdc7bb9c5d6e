import type { Redaction } from './redact.ts';
import { blocked } from './tally.ts';
import type { TextRules } from './text-rules.ts';

const sizeRule = 'max_characters';

/** Counts the texts of one request or answer. Throws `guardrail_blocked` beyond their maximum size together. */
export function createSizeCounter(
  { maxCharacters }: Pick<TextRules, 'maxCharacters'>,
  { tally, part }: Redaction,
): (text: string) => void {
  let left = maxCharacters;
  return (text) => {
    left -= text.length;
    if (left >= 0) return;
    tally.add(sizeRule, 'block');
    throw blocked(sizeRule, part);
  };
}
