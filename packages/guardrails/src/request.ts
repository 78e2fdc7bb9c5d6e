import type { TextRules } from './text-rules.ts';
import { redactDocument } from './document.ts';
import type { Redaction } from './redact.ts';
import { createTextGuard } from './texts.ts';

/** Redacts a request in the format of any API. Throws `guardrail_blocked`. */
export const redactRequest = (request: unknown, check: TextRules, redaction: Redaction): unknown =>
  redactDocument(request, createTextGuard(check, redaction));
