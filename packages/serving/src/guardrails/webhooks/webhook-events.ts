import type { RequestHead } from '@tallyport/contracts';
import type { GuardedPart } from '@tallyport/guardrails';
import { durationBuckets, type Kit } from '@tallyport/service-kit';

type WebhookOutcome = 'allow' | 'block' | 'redact' | 'failed';

export interface WebhookEvents {
  asked(part: GuardedPart, outcome: WebhookOutcome, durationMs: number): void;
  /** A webhook did not decide. */
  failed(head: RequestHead, webhook: string, cause: unknown): void;
  /** A question was not sent, because the webhook failed before. */
  notAsked(part: GuardedPart): void;
  /** A webhook is paused, or is no longer. */
  countPaused(by: 1 | -1): void;
}

export function webhookEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): WebhookEvents {
  const duration = metrics.histogram({
    name: 'gateway_guard_webhook_duration_seconds',
    help: 'Duration of asking a webhook of guardrails, by what it decided.',
    labels: { part: ['answer', 'request'], outcome: ['allow', 'block', 'redact', 'failed'] },
    buckets: durationBuckets,
  });
  const notAsked = metrics.counter({
    name: 'gateway_guard_webhook_not_asked_total',
    help: 'Questions that were not sent, because the webhook of guardrails failed several times before.',
    labels: { part: ['answer', 'request'] },
  });
  const paused = metrics.gauge({
    name: 'gateway_guard_webhooks_paused',
    help: 'Webhooks of guardrails that this process does not ask, because they failed several times.',
  });
  return {
    countPaused: (by) => paused.with().add(by),
    notAsked: (part) => notAsked.with({ part }).increment(),
    asked: (part, outcome, durationMs) => duration.with({ part, outcome }).observe(durationMs / 1_000),
    failed: ({ requestId, principal }, webhook, error) =>
      log.warn({ requestId, accountId: principal?.accountId, webhook, error }, 'a guardrail webhook did not decide'),
  };
}
