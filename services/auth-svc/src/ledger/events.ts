import { type Kit, throttledLog } from '@switchyard/service-kit';

export interface LedgerEvents {
  usageWritten(written: Written): void;
  /** So many entries of the journal cannot be read, or the database will never take them: they are kept as they are. */
  usageSetAside(count: number, error: unknown): void;
  /** So many of those could be written after all. */
  usageTakenUp(count: number): void;
  /** A batch could not be written. */
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
    labels: { result: ['written', 'repeated', 'aside'] },
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
    usageSetAside(count, error) {
      records.with({ result: 'aside' }).increment(count);
      warn('aside', { count, error }, 'records of use cannot be written down by this version; usage_aside keeps them');
    },
    usageTakenUp: (count) => log.info({ count }, 'records of use that lay in usage_aside are written down'),
    usageNotWritten: (error) => warn('usage', { error }, 'use could not be written down; it is tried again'),
    ledgerNotTidied: (error) => log.warn({ error }, 'the months of the ledger could not be tidied'),
    monthsDropped: (tables) => log.info({ tables }, 'old months of the ledger were dropped'),
  };
}
