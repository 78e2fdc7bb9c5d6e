import type { RequestHead } from '@switchyard/contracts';
import type { GuardedPart } from '@switchyard/guardrails';
import { durationBuckets, type Kit } from '@switchyard/service-kit';

export type WebhookOutcome = 'allow' | 'block' | 'redact' | 'failed';

export interface WebhookEvents {
  asked(part: GuardedPart, outcome: WebhookOutcome, durationMs: number): void;
  /** A webhook did not decide. */
  failed(head: RequestHead, webhook: string, cause: unknown): void;
}

export function webhookEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): WebhookEvents {
  const duration = metrics.histogram({
    name: 'gateway_guard_webhook_duration_seconds',
    help: 'Duration of asking a webhook of guardrails, by what it decided.',
    labels: { part: ['answer', 'request'], outcome: ['allow', 'block', 'redact', 'failed'] },
    buckets: durationBuckets,
  });
  return {
    asked: (part, outcome, durationMs) => duration.with({ part, outcome }).observe(durationMs / 1_000),
    failed: ({ requestId, principal }, webhook, error) =>
      log.warn({ requestId, accountId: principal?.accountId, webhook, error }, 'a guardrail webhook did not decide'),
  };
}
