import type { Unreadable } from '@tallyport/bus';
import type { UsageRecord } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { repeat } from '@tallyport/service-kit';
import { countDoubledRecords } from './doubled-records.ts';
import type { UsageEvents } from './events.ts';
import { hourMs } from './hours.ts';
import { createKnownMonths } from './partitions.ts';
import { rowsOfUsage } from './rows-of-usage.ts';
import { addAside, retryAsideEntries } from './usage-aside.ts';
import { tidy } from './tidy.ts';
import { admitEndUsers } from './write-end-users.ts';
import { writeUsage } from './write-usage.ts';

export interface Ledger {
  /**
   * Starts the maintenance once the database is prepared: creates partitions, drops old ones, retries entries that
   * were set aside, and looks for records that are counted twice.
   */
  start(): Promise<void>;
  /** Writes new records and sets aside those that the database will never accept. Throws if a retry may succeed. */
  write(records: readonly UsageRecord[]): Promise<void>;
  /** Keeps entries that this version cannot read, until a version that can read them is deployed. */
  setAside(unreadable: readonly Unreadable[]): Promise<void>;
  stop(): void;
}

export function createLedger(
  database: Database,
  { retentionDays, events }: { retentionDays: number; events: UsageEvents },
): Ledger {
  const { kysely } = database;
  const months = createKnownMonths(database);
  const tools = { database, months, retentionDays, events };
  let stop = (): void => {};

  /** Writes records and returns those the database will never accept, with the reason. */
  async function writeAcceptable(records: readonly UsageRecord[]): Promise<Map<UsageRecord, unknown>> {
    if (records.length === 0) return new Map();
    try {
      await months.ensure(monthsOf(records));
      const rows = await rowsOfUsage(records);
      const fresh = await kysely.transaction().execute(async (transaction) => {
        // Independent of the server's default: after this the journal deletes the records, so they must survive a
        // crash.
        await sql`set local synchronous_commit = on`.execute(transaction);
        if (rows.haveEndUsers) await admitEndUsers(transaction, records);
        return writeUsage(transaction, rows);
      });
      events.usageWritten({ fresh, repeated: records.length - fresh });
      return new Map();
    } catch (error) {
      months.forget();
      if (!isAboutRecord(error)) throw error;
      const [only] = records;
      if (only !== undefined && records.length === 1) return new Map([[only, error]]);
      const refused: [UsageRecord, unknown][] = [];
      for (const record of records) refused.push(...(await writeAcceptable([record])));
      return new Map(refused);
    }
  }

  async function keepAside(unreadable: readonly Unreadable[]): Promise<void> {
    await addAside(kysely, unreadable);
    events.usageSetAside(unreadable.length, unreadable[0]?.error);
  }

  async function retryAside(): Promise<void> {
    const taken = await retryAsideEntries(kysely, async (records) => new Set((await writeAcceptable(records)).keys()));
    if (taken > 0) events.usageTakenUp(taken);
  }

  const check = async (): Promise<void> => events.recordsDoubled(await countDoubledRecords(database));

  return {
    async write(records) {
      const refused = [...(await writeAcceptable(records))];
      if (refused.length === 0) return;
      await keepAside(refused.map(([record, error]) => ({ entry: Buffer.from(JSON.stringify(record)), error })));
    },
    setAside: keepAside,
    async start() {
      await tidy(tools);
      const upkeep = (): Promise<void> => retryAside().then(check);
      void upkeep().catch(events.ledgerNotTidied);
      stop = repeat({ everyMs: hourMs, onFailed: events.ledgerNotTidied }, () => tidy(tools).then(upkeep));
    },
    stop: () => stop(),
  };
}

/** Times are in UTC, so that the month is their first part. An invalid one is found when its partition is created. */
const monthsOf = (records: readonly UsageRecord[]): string[] => [...new Set(records.map(({ at }) => at.slice(0, 7)))];

/**
 * Whether the database refuses the record itself and will always do so: an invalid time, data that do not fit, or a
 * value beyond the program's limits. Every other failure counts as temporary and leaves the record in the journal.
 */
const isAboutRecord = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && aboutRecord.test(error.code));

/**
 * SQLSTATE codes: 22 invalid data, 54 a limit exceeded, 23502 a missing value. Other codes of class 23 are conflicts of
 * replicas.
 */
const aboutRecord = /^(22...|23502|54...)$/;
