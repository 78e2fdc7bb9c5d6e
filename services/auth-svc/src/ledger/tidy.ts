import { type Database, sql } from '@switchyard/database';
import type { LedgerEvents } from './events.ts';
import { type KnownMonths, monthOf, nextMonth } from './partitions.ts';
import { dropAsideBefore } from './usage-aside.ts';

export interface TidyTools {
  database: Database;
  months: KnownMonths;
  retentionDays: number;
  events: Pick<LedgerEvents, 'monthsDropped'>;
}

const dayMs = 86_400_000;
/** Budgets read the hourly sums of the last day or two. */
const minHoursKeptMs = 7 * dayMs;

/** How long the hours of offers are kept, also if records are deleted earlier. */
const offerDays = 90;

/** Creates the partitions of this month and the next, and deletes data beyond its retention. */
export async function tidy({ database, months, retentionDays, events }: TidyTools): Promise<void> {
  const { kysely } = database;
  const now = await clockOf(database);
  await months.ensure([monthOf(now), nextMonth(monthOf(now))]);
  const oldest = new Date(now.getTime() - retentionDays * dayMs);
  const dropped = await months.dropBefore(oldest);
  if (dropped.length > 0) events.monthsDropped(dropped);
  const oldestHour = new Date(Math.min(oldest.getTime(), now.getTime() - minHoursKeptMs));
  await sql`delete from usage_hours where at < ${oldestHour.toISOString()}::timestamptz`.execute(kysely);
  await sql`delete from usage_tallies where at < ${oldestHour.toISOString()}::timestamptz`.execute(kysely);
  const oldestOffer = new Date(now.getTime() - offerDays * dayMs).toISOString();
  for (const table of ['offer_hours', 'offer_latencies'])
    await sql`delete from ${sql.table(table)} where at < ${oldestOffer}::timestamptz`.execute(kysely);
  await dropAsideBefore(kysely, oldest);
}

/** Uses the database's clock for all replicas: a partition dropped by a wrong clock is lost for good. */
async function clockOf({ kysely }: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(kysely);
  return new Date(rows[0]?.now ?? 0);
}
