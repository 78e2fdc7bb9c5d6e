import type { UsageRecord } from '@switchyard/contracts';
import { afterSending, type Kit } from '@switchyard/service-kit';
import type { RecorderEvents } from './usage/recorder.ts';

export interface MeteringEvents extends RecorderEvents {
  used(record: UsageRecord): void;
  budgetDecided(result: (typeof decisions)[number]): void;
  budgetsNotCompared(error: unknown): void;
}

const decisions = ['ok', 'denied', 'unavailable'] as const;
const sources = ['priced', 'provider_reported', 'estimated'] as const;

/** What happens to records of use on their way, each counted and logged once. */
export function meteringEvents({ name, log, metrics }: Pick<Kit, 'name' | 'log' | 'metrics'>): MeteringEvents {
  const cost = metrics.counter({
    name: 'gateway_cost_usd_total',
    help: 'What requests cost by the catalogue or the provider, in USD.',
    labels: { provider: 'any', model: 'any', source: sources },
  });
  const unpriced = metrics.counter({
    name: 'gateway_usage_unpriced_total',
    help: 'Requests that the catalogue has no price for.',
    labels: { provider: 'any', model: 'any' },
  });
  const detours = metrics.counter({
    name: 'gateway_usage_detours_total',
    help: 'Records of use that the journal did not take at once: kept in a file, or lost.',
    labels: { result: ['spilled', 'lost'] },
  });
  const spilled = metrics.gauge({
    name: 'gateway_usage_spilled_bytes',
    help: 'Records of use that wait in files of this process.',
    labels: { service: ['chat-svc', 'image-svc'] },
  });
  const reservations = metrics.counter({
    name: 'gateway_budget_reservations_total',
    help: 'Requests of keys and accounts with a budget, by whether it allowed them.',
    labels: { result: decisions },
  });
  return {
    budgetDecided: (result) => reservations.with({ result }).increment(),
    budgetsNotCompared: (error) => log.warn({ error }, 'budgets could not be compared with the ledger'),
    used: (record) =>
      afterSending(() => {
        const { provider = 'none', model } = record;
        if (record.cost === null) unpriced.with({ provider, model }).increment();
        else cost.with({ provider, model, source: sourceOf(record) }).increment(Number(record.cost));
      }),
    journalAway: (error) => log.warn({ error }, 'the journal of use is away: records wait in a file'),
    journalBack: () => log.info('the journal of use is back'),
    usageSpilled: () => detours.with({ result: 'spilled' }).increment(),
    waiting: (bytes) => spilled.with({ service: name }).set(bytes),
    usageLost(record, error) {
      detours.with({ result: 'lost' }).increment();
      // The record itself, so that a person can still put it down.
      log.error({ record, error }, 'a record of use is lost');
    },
  };
}

function sourceOf({ costs, source }: UsageRecord): (typeof sources)[number] {
  if (costs.vendor !== undefined) return 'provider_reported';
  return source === 'estimated' ? 'estimated' : 'priced';
}
