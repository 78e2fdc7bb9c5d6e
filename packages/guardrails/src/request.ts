import { GatewayError } from '@tallyport/contracts';
import type { TextRules } from './text-rules.ts';
import { redactDocument } from './document.ts';
import type { Redaction } from './redact.ts';
import { createTextGuard } from './texts.ts';

/** Redacts a request in the format of any API. Throws `guardrail_blocked`, or `unsupported_capability` for tokens. */
export function redactRequest(request: unknown, check: TextRules, redaction: Redaction): unknown {
  if (hasTokens(request)) throw cannotInspect();
  return redactDocument(request, createTextGuard(check, redaction));
}

/** Inputs of embeddings may be tokens, which are the text for a vendor and numbers for rules. */
const hasTokens = (request: unknown): boolean =>
  typeof request === 'object' && request !== null && 'input' in request && isTokens(request.input, 2);

/** A list with a number, or a list of such lists. */
const isTokens = (input: unknown, depth: number): boolean =>
  Array.isArray(input) && input.some((each) => typeof each === 'number' || (depth > 1 && isTokens(each, depth - 1)));

const cannotInspect = (): GatewayError =>
  new GatewayError(
    'unsupported_capability',
    "The account's guardrails have rules for requests, which cannot inspect tokens. Send `input` as text, or use a key of an account without such rules.",
    { param: 'input', domain: 'policy' },
  );
