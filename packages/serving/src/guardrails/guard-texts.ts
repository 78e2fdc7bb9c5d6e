import type { IncomingExchange } from '@tallyport/bus';
import { createTally, type GuardedPart } from '@tallyport/guardrails';
import { inspectDocument } from './inspect-document.ts';
import type { GuardrailTools } from './open-guardrails.ts';

export type GuardedExchange = Pick<IncomingExchange, 'head' | 'signal' | 'stillWanted'>;

/** What a form says, after the caller's rules for requests. Throws like the guard of JSON requests. */
export const guardTexts = (tools: GuardrailTools, exchange: GuardedExchange, document: object): Promise<unknown> =>
  guardPart(tools, exchange, { part: 'request', document });

interface DocumentPart {
  part: GuardedPart;
  document: object;
}

/** A document after the caller's rules for requests or answers. Throws like the guard of JSON requests. */
export async function guardPart(
  tools: GuardrailTools,
  { head, signal }: GuardedExchange,
  { part, document }: DocumentPart,
): Promise<unknown> {
  const rules = tools.of(head.principal)?.[part];
  if (rules === undefined) return document;
  const tally = createTally();
  try {
    const bytes = JSON.stringify(document).length;
    return await inspectDocument(tools, { head, part, check: rules, document, bytes, tally, signal });
  } finally {
    tools.events.found(head, part, tally.findings());
  }
}
