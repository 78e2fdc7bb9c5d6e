import type { RequestHead } from '@tallyport/contracts';
import { guardAnswer, redactDocument } from '@tallyport/guardrails';
import type { GuardrailTools } from './open-guardrails.ts';
import type { RuledDocument } from './rules/redact-by-rules.ts';
import { guardDocument } from './webhooks/guard-document.ts';

interface InspectedDocument extends RuledDocument {
  head: RequestHead;
}

/** A document after the rules of its part, and after their webhooks. Throws like both. */
export async function inspectDocument(
  { redact, webhooks }: Pick<GuardrailTools, 'redact' | 'webhooks'>,
  inspected: InspectedDocument,
): Promise<unknown> {
  const { head, part, check, tally, signal } = inspected;
  const document = await redact(inspected);
  const walk = part === 'request' ? redactDocument : guardAnswer;
  return guardDocument<unknown>(webhooks, { document, walk }, { head, part, webhooks: check.webhooks, tally, signal });
}
