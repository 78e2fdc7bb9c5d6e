import type { RequestHead } from '@tallyport/contracts';
import { guardAnswer, redactDocument } from '@tallyport/guardrails';
import { guardDocument } from './guard-document.ts';
import type { GuardrailTools } from './open-guardrails.ts';
import type { RuledDocument } from './rules/redact-by-rules.ts';

interface InspectedDocument extends RuledDocument {
  head: RequestHead;
}

/** A document after the rules of its part, and after the webhooks and models that they ask. Throws like both. */
export async function inspectDocument(
  { redact, inspect }: Pick<GuardrailTools, 'inspect' | 'redact'>,
  inspected: InspectedDocument,
): Promise<unknown> {
  const { head, part, check, tally, signal } = inspected;
  const document = await redact(inspected);
  const walk = part === 'request' ? redactDocument : guardAnswer;
  return guardDocument<unknown>(inspect, { document, walk }, { head, part, asked: check.asked, tally, signal });
}
