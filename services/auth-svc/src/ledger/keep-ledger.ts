import type { Unreadable } from '@switchyard/bus';
import type { UsageRecord } from '@switchyard/contracts';
import { type Database, isUnavailable, sql } from '@switchyard/database';
import type { LedgerEvents } from './events.ts';
import { createKnownMonths, monthOf } from './partitions.ts';
import { addAside, takeUpAside } from './usage-aside.ts';
import { tidy } from './tidy.ts';
import { writeUsage } from './write-usage.ts';

export interface Ledger {
  /** Once the database is there: makes months ahead, and from now on drops old ones and takes up what lies aside. */
  start(): Promise<void>;
  /** Writes what is new; what the database will never take is set aside. Throws when that is worth another try. */
  write(records: readonly UsageRecord[]): Promise<void>;
  /** Keeps what this version cannot read for one that can. */
  setAside(unreadable: readonly Unreadable[]): Promise<void>;
  stop(): void;
}

const hourMs = 3_600_000;

export function createLedger(
  database: Database,
  { retentionDays, events }: { retentionDays: number; events: LedgerEvents },
): Ledger {
  const { kysely } = database;
  const months = createKnownMonths(database);
  const tools = { database, months, retentionDays, events };
  let timer: NodeJS.Timeout | undefined;

  /** Tells what the database will never take, and why. */
  async function writeFitting(records: readonly UsageRecord[]): Promise<Map<UsageRecord, unknown>> {
    if (records.length === 0) return new Map();
    try {
      await months.ensure(records.map(({ at }) => monthOf(new Date(at))));
      const fresh = await kysely.transaction().execute(async (transaction) => {
        // Whatever the server's default: what the journal forgets after this must outlive a crash.
        await sql`set local synchronous_commit = on`.execute(transaction);
        return writeUsage(transaction, records);
      });
      events.usageWritten({ fresh, repeated: records.length - fresh });
      return new Map();
    } catch (error) {
      months.forget();
      if (isWorthAnotherTry(error)) throw error;
      const [only] = records;
      if (only !== undefined && records.length === 1) return new Map([[only, error]]);
      const refused: [UsageRecord, unknown][] = [];
      for (const record of records) refused.push(...(await writeFitting([record])));
      return new Map(refused);
    }
  }

  async function keepAside(unreadable: readonly Unreadable[]): Promise<void> {
    await addAside(kysely, unreadable);
    events.usageSetAside(unreadable.length, unreadable[0]?.error);
  }

  async function takeUp(): Promise<void> {
    const taken = await takeUpAside(kysely, async (records) => new Set((await writeFitting(records)).keys()));
    if (taken > 0) events.usageTakenUp(taken);
  }

  return {
    async write(records) {
      const refused = [...(await writeFitting(records))];
      if (refused.length === 0) return;
      await keepAside(refused.map(([record, error]) => ({ entry: Buffer.from(JSON.stringify(record)), error })));
    },
    setAside: keepAside,
    async start() {
      await tidy(tools);
      void takeUp().catch(events.ledgerNotTidied);
      timer = setInterval(() => void tidy(tools).then(takeUp).catch(events.ledgerNotTidied), hourMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** Two replicas in each other's way, or a month that another one has just dropped. */
const passing = new Set(['40001', '40P01', '55P03', '57014', '42P01', '42P07', '23505', '23514']);

const isWorthAnotherTry = (error: unknown): boolean =>
  isUnavailable(error) ||
  (error instanceof Error && 'code' in error && typeof error.code === 'string' && passing.has(error.code));
