import type { IncomingExchange } from '@tallyport/bus';
import { createTally, redactDocument } from '@tallyport/guardrails';
import type { GuardrailTools } from './open-guardrails.ts';
import { guardDocument } from './webhooks/guard-document.ts';

/** What a form says, after the caller's rules for requests. Throws like the guard of JSON requests. */
export async function guardTexts(
  tools: GuardrailTools,
  { head, signal }: Pick<IncomingExchange, 'head' | 'signal'>,
  document: object,
): Promise<unknown> {
  const rules = tools.of(head.principal)?.request;
  if (rules === undefined) return document;
  const tally = createTally();
  const part = 'request';
  try {
    const bytes = JSON.stringify(document).length;
    const redacted = await tools.redact({ head, part, check: rules, document, bytes, tally, signal });
    const question = { head, part, webhooks: rules.webhooks, tally, signal } as const;
    return await guardDocument(tools.webhooks, { document: redacted, walk: redactDocument }, question);
  } finally {
    tools.events.found(head, part, tally.findings());
  }
}
