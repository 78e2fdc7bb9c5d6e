import { GatewayError, type Guardrails } from '@tallyport/contracts';
import { compileGuard, createTally, createTextGuard, type GuardedPart } from '@tallyport/guardrails';
import type { ManagementOperations } from '@tallyport/management';
import type { z } from 'zod';

type TriedText = z.output<ManagementOperations['tryGuardrails']['output']>;

/** What rules do to a text. Webhooks are only named. */
export function tryRules(policies: readonly Guardrails[], part: GuardedPart, text: string): TriedText {
  const rules = compileGuard(policies)[part];
  if (rules === undefined) return { verdict: 'allow', text, findings: [], webhooks: [] };
  const tally = createTally();
  const webhooks = rules.webhooks.map(({ name }) => name);
  try {
    const redacted = createTextGuard(rules, { part, tally }).text(text);
    return { verdict: redacted === text ? 'allow' : 'redact', text: redacted, findings: tally.findings(), webhooks };
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.code !== 'guardrail_blocked') throw thrown;
    return { verdict: 'block', findings: tally.findings(), webhooks: [] };
  }
}
