import type { TextRules } from './text-rules.ts';
import { redactDocument } from './document.ts';
import type { Redaction } from './redact.ts';
import { createTextGuard, type TextGuard } from './texts.ts';

/** Members that describe an answer and are not of it. */
const about: ReadonlySet<string> = new Set([
  'background',
  'id',
  'metadata',
  'model',
  'object',
  'output_format',
  'quality',
  'service_tier',
  'size',
  'system_fingerprint',
  'usage',
]);

/** Redacts a whole answer. Throws `guardrail_blocked`. */
export const redactAnswer = (answer: object, check: TextRules, redaction: Redaction): object =>
  guardAnswer(answer, createTextGuard(check, redaction));

/** Passes all texts of a whole answer through a guard. */
export const guardAnswer = (answer: object, guard: TextGuard): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, member]) => [
      name,
      about.has(name) ? member : redactDocument(withoutLogprobs(member), guard),
    ]),
  );

/** They would repeat the text. */
const withoutLogprobs = (member: unknown): unknown =>
  Array.isArray(member) ? member.map((item) => (hasLogprobs(item) ? { ...item, logprobs: null } : item)) : member;

const hasLogprobs = (item: unknown): item is { logprobs: unknown } =>
  typeof item === 'object' && item !== null && 'logprobs' in item;
