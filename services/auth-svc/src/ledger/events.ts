import type { UsageRecord } from '@switchyard/contracts';
import { type Kit, throttledLog } from '@switchyard/service-kit';

export interface LedgerEvents {
  /** Records came out of the journal, whether or not they can be written now. */
  usageArrived(records: readonly UsageRecord[]): void;
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
    help: 'Age of the oldest record in the last batch from the journal, whether or not it could be written.',
    labels: {},
  });
  const warn = throttledLog(log);
  return {
    usageArrived: (records) => lag.with({}).set(ageOf(records) / 1000),
    usageWritten({ fresh, repeated }) {
      records.with({ result: 'written' }).increment(fresh);
      records.with({ result: 'repeated' }).increment(repeated);
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

/** By the clock of whoever served: one that is ahead of ours is no news from the future. */
const ageOf = (records: readonly UsageRecord[]): number =>
  Math.max(0, Date.now() - Math.min(...records.map(({ at }) => Date.parse(at))));
