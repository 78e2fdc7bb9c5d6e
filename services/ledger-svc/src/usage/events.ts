import type { UsageRecord } from '@tallyport/contracts';
import { type Kit, throttledLog } from '@tallyport/service-kit';

export interface UsageEvents {
  /** Records arrived from the journal, whether or not they can be written. */
  usageArrived(records: readonly UsageRecord[]): void;
  usageWritten(written: Written): void;
  /** Entries of the journal were set aside: they cannot be read, or the database will never accept them. */
  usageSetAside(count: number, error: unknown): void;
  /** Entries set aside earlier were written. */
  usageTakenUp(count: number): void;
  /** A batch could not be written. */
  usageNotWritten(error: unknown): void;
  /** How many records of the last day have the id of another one. */
  recordsDoubled(count: number): void;
  ledgerNotTidied(error: unknown): void;
  monthsDropped(tables: readonly string[]): void;
}

interface Written {
  /** New in the ledger. */
  fresh: number;
  /** Seen before, and not written again. */
  repeated: number;
}

/** Counts each event of the ledger and logs it once. */
export function usageEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): UsageEvents {
  const records = metrics.counter({
    name: 'gateway_usage_records_total',
    help: 'Usage records, by result in the ledger.',
    labels: { result: ['written', 'repeated', 'aside'] },
  });
  const lag = metrics.gauge({
    name: 'gateway_usage_events_lag_seconds',
    help: 'Age of the oldest record in the last batch from the journal, whether or not it could be written.',
    labels: {},
  });
  const doubled = metrics.gauge({
    name: 'gateway_usage_doubled_records',
    help: 'Records of the last day that have the id of another one, by the last hourly check. Their requests are counted twice.',
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
      warn('aside', { count, error }, 'this version cannot write some usage records; usage_aside keeps them');
    },
    usageTakenUp: (count) => log.info({ count }, 'usage records from usage_aside were written'),
    usageNotWritten: (error) => warn('usage', { error }, 'usage records could not be written; trying again'),
    recordsDoubled(count) {
      doubled.with({}).set(count);
      if (count > 0) log.error({ count }, 'usage records have the id of another one; their requests are counted twice');
    },
    ledgerNotTidied: (error) => log.warn({ error }, 'the ledger could not be maintained'),
    monthsDropped: (tables) => log.info({ tables }, 'old partitions of the ledger were dropped'),
  };
}

/** Compares with the clock of the serving process; a clock that is ahead counts as no lag. */
const ageOf = (records: readonly UsageRecord[]): number =>
  Math.max(0, Date.now() - Math.min(...records.map(({ at }) => Date.parse(at))));
