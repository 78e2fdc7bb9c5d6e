import type { UsageRecord } from '@switchyard/contracts';
import { type Kit, throttledLog } from '@switchyard/service-kit';

export interface LedgerEvents {
  usageWritten(written: Written): void;
  /** A record that the database will never take: it is left out, so that the others can be written. */
  usageRefused(record: UsageRecord, error: unknown): void;
  /** A batch could not be written, or something in the journal could not be read. */
  usageNotWritten(error: unknown): void;
  ledgerNotTidied(error: unknown): void;
  monthsDropped(tables: readonly string[]): void;
}

export interface Written {
  /** New in the ledger. */
  fresh: number;
  /** Seen before, and not written again. */
  repeated: number;
  /** How long the oldest of them was on its way. */
  lagMs: number;
}

/** What happens to the ledger, each counted and logged once. */
export function ledgerEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): LedgerEvents {
  const records = metrics.counter({
    name: 'gateway_usage_records_total',
    help: 'Records of use, by what became of them in the ledger.',
    labels: { result: ['written', 'repeated', 'refused'] },
  });
  const lag = metrics.gauge({
    name: 'gateway_usage_events_lag_seconds',
    help: 'Age of the oldest record in the last batch when it was written.',
    labels: {},
  });
  const warn = throttledLog(log);
  return {
    usageWritten({ fresh, repeated, lagMs }) {
      records.with({ result: 'written' }).increment(fresh);
      records.with({ result: 'repeated' }).increment(repeated);
      lag.with({}).set(lagMs / 1000);
    },
    usageRefused({ id, requestId }, error) {
      records.with({ result: 'refused' }).increment();
      log.error({ usageId: id, requestId, error }, 'a record of use cannot be written and is left out');
    },
    usageNotWritten: (error) => warn('usage', { error }, 'use could not be written down; it is tried again'),
    ledgerNotTidied: (error) => log.warn({ error }, 'the months of the ledger could not be tidied'),
    monthsDropped: (tables) => log.info({ tables }, 'old months of the ledger were dropped'),
  };
}
