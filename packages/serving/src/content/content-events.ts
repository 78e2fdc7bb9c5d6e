import { type Kit, throttledLog } from '@tallyport/service-kit';

const losses = ['memory', 'unavailable', 'unreadable'] as const;

export interface ContentEvents {
  stored(count: number): void;
  /** `memory`: too much is held in memory. `unavailable`: ledger-svc did not store it in time. `unreadable`: not what its API says. */
  dropped(reason: (typeof losses)[number], count: number, error?: unknown): void;
}

/** Counts the prompts and answers of accounts that keep them. */
export function contentEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): ContentEvents {
  const counter = metrics.counter({
    name: 'gateway_contents_total',
    help: 'Prompts and answers of accounts that keep them: stored, or dropped and why.',
    labels: { result: ['stored', ...losses] },
  });
  const warn = throttledLog(log);
  return {
    stored: (count) => counter.with({ result: 'stored' }).increment(count),
    dropped(reason, count, error) {
      counter.with({ result: reason }).increment(count);
      warn('content', { reason, count, ...(error !== undefined && { error }) }, 'prompts and answers are not kept');
    },
  };
}
