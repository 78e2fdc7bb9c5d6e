import type { RequestHead } from '@tallyport/contracts';
import { durationBuckets, type Kit } from '@tallyport/service-kit';

/** What asks decision models inside the gateway. */
export type DecisionUse = 'guardrail' | 'route';

interface DeciderEvents {
  asked(by: DecisionUse, outcome: 'answered' | 'failed', durationMs: number): void;
  failed(asked: { head: RequestHead; by: DecisionUse; model: string }, cause: unknown): void;
}

export function deciderEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): DeciderEvents {
  const duration = metrics.histogram({
    name: 'gateway_asked_decisions_duration_seconds',
    help: 'Duration of asking a decision model for a guardrail or a condition of a route.',
    labels: { by: ['guardrail', 'route'], outcome: ['answered', 'failed'] },
    buckets: durationBuckets,
  });
  return {
    asked: (by, outcome, durationMs) => duration.with({ by, outcome }).observe(durationMs / 1_000),
    failed: ({ head: { requestId, principal }, by, model }, error) =>
      log.warn({ requestId, accountId: principal?.accountId, by, model, error }, 'a decision model did not decide'),
  };
}
