import type { UsageRecord } from '@switchyard/contracts';
import { type Database, isUnavailable, sql } from '@switchyard/database';
import type { LedgerEvents } from './events.ts';
import { createMonths, dropMonthsBefore, monthOf, nextMonth } from './partitions.ts';
import { writeUsage } from './write-usage.ts';

export interface Ledger {
  /** Once the database is there: makes months ahead, and from now on drops old ones. */
  start(): Promise<void>;
  /** Writes what is new. Throws when that is worth another try. */
  write(records: readonly UsageRecord[]): Promise<void>;
  stop(): void;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Budgets ask for single hours of the last day or two. */
const leastHoursKeptMs = 7 * dayMs;

export function createLedger(
  database: Database,
  { retentionDays, events }: { retentionDays: number; events: LedgerEvents },
): Ledger {
  const { kysely } = database;
  /** Made or found by this process. */
  let known = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  async function ensure(months: ReadonlySet<string>): Promise<void> {
    const missing = [...months].filter((month) => !known.has(month));
    await createMonths(database, missing);
    for (const month of missing) known.add(month);
  }

  async function tidy(): Promise<void> {
    const now = new Date();
    await ensure(new Set([monthOf(now), nextMonth(monthOf(now))]));
    const oldest = new Date(now.getTime() - retentionDays * dayMs);
    const dropped = await dropMonthsBefore(database, oldest);
    // Whoever made them may find records of theirs once more.
    if (dropped.length > 0) known = new Set();
    if (dropped.length > 0) events.monthsDropped(dropped);
    const oldestHour = new Date(Math.min(oldest.getTime(), now.getTime() - leastHoursKeptMs));
    await sql`delete from usage_hours where at < ${oldestHour.toISOString()}::timestamptz`.execute(kysely);
  }

  async function write(records: readonly UsageRecord[]): Promise<void> {
    try {
      await ensure(new Set(records.map(({ at }) => monthOf(new Date(at)))));
      const fresh = await kysely.transaction().execute(async (transaction) => {
        // Whatever the server's default: what the journal forgets after this must outlive a crash.
        await sql`set local synchronous_commit = on`.execute(transaction);
        return writeUsage(transaction, records);
      });
      events.usageWritten({ fresh, repeated: records.length - fresh, lagMs: lagOf(records) });
    } catch (error) {
      known = new Set();
      if (isWorthAnotherTry(error)) throw error;
      const [only] = records;
      if (only !== undefined && records.length === 1) events.usageRefused(only, error);
      else for (const record of records) await write([record]);
    }
  }

  return {
    write,
    async start() {
      await tidy();
      timer = setInterval(() => void tidy().catch(events.ledgerNotTidied), hourMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

const lagOf = (records: readonly UsageRecord[]): number =>
  Math.max(0, Date.now() - Math.min(...records.map(({ at }) => Date.parse(at))));

/** Two replicas in each other's way, or a month that another one has just dropped. */
const passing = new Set(['40001', '40P01', '55P03', '57014', '42P01', '42P07', '23505', '23514']);

const isWorthAnotherTry = (error: unknown): boolean =>
  isUnavailable(error) ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && passing.has(error.code));
