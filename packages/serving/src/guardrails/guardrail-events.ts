import { detectorNames, type Finding, type RequestHead } from '@tallyport/contracts';
import type { GuardedPart } from '@tallyport/guardrails';
import type { Kit } from '@tallyport/service-kit';

export interface GuardrailEvents {
  /** Rules acted on a request or its answer. */
  found(head: RequestHead, part: GuardedPart, findings: readonly Finding[]): void;
}

/** Patterns, webhooks and policies have names of accounts, so each kind shares one label. */
const rules = [...detectorNames, 'decision', 'max_characters', 'pattern', 'time_limit', 'webhook'] as const;
const kinds = ['decision', 'webhook'] as const;

export function guardrailEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): GuardrailEvents {
  const counter = metrics.counter({
    name: 'gateway_guardrail_findings_total',
    help: 'What guardrails of accounts and keys found, by rule.',
    labels: { part: ['answer', 'request'], rule: rules, action: ['block', 'flag', 'redact', 'skip'] },
  });
  return {
    found({ requestId, principal }, part, findings) {
      if (findings.length === 0) return;
      for (const { rule, action, count } of findings)
        counter.with({ part, rule: labelOf(rule), action }).increment(count);
      log.info({ requestId, accountId: principal?.accountId, part, findings }, 'guardrails found something');
    },
  };
}

const labelOf = (rule: string): (typeof rules)[number] =>
  kinds.find((kind) => rule.startsWith(`${kind}:`)) ?? rules.find((each) => each === rule) ?? 'pattern';
