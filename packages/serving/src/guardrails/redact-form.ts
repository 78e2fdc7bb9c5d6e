import type { RequestHead } from '@switchyard/contracts';
import { createTally, redactRequest } from '@switchyard/guardrails';
import type { GuardrailTools } from './open-guardrails.ts';

/** The fields of a form after the caller's rules for requests. Throws `guardrail_blocked`. */
export function redactForm(
  tools: GuardrailTools,
  head: RequestHead,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const check = tools.of(head.principal)?.request;
  if (check === undefined) return fields;
  const tally = createTally();
  try {
    return Object.assign(Object.create(null), redactRequest(fields, check, { part: 'request', tally }));
  } finally {
    tools.events.found(head, 'request', tally.findings());
  }
}
