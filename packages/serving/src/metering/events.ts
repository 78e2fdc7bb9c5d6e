import type { UsageRecord } from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import type { RecorderEvents } from './usage/recorder.ts';
import { recorderEvents } from './usage/recorder-events.ts';

export interface MeteringEvents extends RecorderEvents {
  /** `model` is the metric label. */
  used(record: UsageRecord, model: string): void;
  budgetDecided(result: (typeof decisions)[number]): void;
  budgetsNotCompared(error: unknown): void;
}

const decisions = ['ok', 'denied', 'unavailable'] as const;
const judges = ['provider', 'catalogue'] as const;
const sources = ['priced', 'provider_reported', 'estimated'] as const;

/** Metrics and logs of metering, each event counted and logged once. */
export function meteringEvents({ name, log, metrics }: Pick<Kit, 'name' | 'log' | 'metrics'>): MeteringEvents {
  const cost = metrics.counter({
    name: 'gateway_cost_usd_total',
    help: 'Cost of requests in USD, by catalogue price or as reported by the provider.',
    labels: { provider: 'any', model: 'model', source: sources },
  });
  const unpriced = metrics.counter({
    name: 'gateway_usage_unpriced_total',
    help: 'Requests without a price in the catalogue.',
    labels: { provider: 'any', model: 'model' },
  });
  const unpricedClasses = metrics.counter({
    name: 'gateway_usage_unpriced_class_total',
    help: 'Requests of which the provider counted something without a price of its own, so that the cost may be too low.',
    labels: { provider: 'any', model: 'model' },
  });
  const compared = metrics.counter({
    name: 'gateway_reported_cost_usd_total',
    help: 'Cost in USD of requests whose provider reports it: what the provider says, and what the catalogue says.',
    labels: { provider: 'any', by: judges },
  });
  const reservations = metrics.counter({
    name: 'gateway_budget_reservations_total',
    help: 'Requests with a budget, by decision.',
    labels: { result: decisions },
  });
  return {
    budgetDecided: (result) => reservations.with({ result }).increment(),
    budgetsNotCompared: (error) => log.warn({ error }, 'budgets could not be compared with the ledger'),
    // At once: these additions cost less than to postpone them until the answer was sent.
    used(record, model) {
      const { provider = 'none' } = record;
      if (record.cost === null) unpriced.with({ provider, model }).increment();
      else cost.with({ provider, model, source: sourceOf(record) }).increment(Number(record.cost));
      if (record.flags.includes('unpriced_class')) unpricedClasses.with({ provider, model }).increment();
      const expected = record.details?.catalogueCost;
      if (expected === undefined) return;
      compared.with({ provider, by: 'provider' }).increment(Number(record.cost));
      compared.with({ provider, by: 'catalogue' }).increment(Number(expected));
    },
    ...recorderEvents({ name, log, metrics }),
  };
}

function sourceOf({ costs, source }: UsageRecord): (typeof sources)[number] {
  if (costs.vendor !== undefined) return 'provider_reported';
  return source === 'estimated' ? 'estimated' : 'priced';
}
