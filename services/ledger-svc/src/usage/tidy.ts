import { type Database, dropPriceVersionsBefore, type Queries, sql } from '@tallyport/database';
import { deleteInPortions } from './delete-in-portions.ts';
import type { UsageEvents } from './events.ts';
import { type KnownMonths, monthOf, nextMonth } from './partitions.ts';
import { tidyEndUsers } from './tidy-end-users.ts';
import { dropAsideBefore } from './usage-aside.ts';
import { dayMs } from './days.ts';

interface TidyTools {
  database: Database;
  months: KnownMonths;
  retentionDays: number;
  events: Pick<UsageEvents, 'monthsDropped'>;
}

/** Budgets read the hourly sums of up to four days. */
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
  await deleteBefore(kysely, oldestHour, ofHours);
  await deleteBefore(kysely, new Date(now.getTime() - offerDays * dayMs), ofOffers);
  await tidyEndUsers(kysely, { now, oldest });
  await dropAsideBefore(kysely, oldest);
  await dropPriceVersionsBefore(kysely, new Date(startOfMonth(oldest).getTime() - dayMs));
}

/** Records are deleted by whole months, and each finds the prices of its version. */
const startOfMonth = (date: Date): Date => new Date(`${monthOf(date)}-01T00:00:00Z`);

interface Expiring {
  rows: readonly string[];
  summaries: readonly string[];
  /** Summaries by week. */
  weeks: readonly string[];
}

const ofHours: Expiring = {
  rows: ['usage_hours', 'usage_tallies', 'project_hours', 'project_tallies'],
  summaries: [
    'usage_summary_hours',
    'tally_summary_hours',
    'tally_summary_days',
    'usage_histogram_hours',
    'usage_histogram_days',
  ],
  weeks: ['usage_histogram_weeks'],
};
const ofOffers: Expiring = {
  rows: ['offer_hours', 'offer_latencies'],
  summaries: ['provider_hours', 'offer_days', 'offer_histogram_days'],
  weeks: [],
};

/** Each has an index that begins with the time. */
export const expiringTables = [ofHours, ofOffers].flatMap(({ rows, summaries, weeks }) => [
  ...rows,
  ...summaries,
  ...weeks,
]);

/** Deleting rows subtracts them from their summaries, so summaries are deleted last, and only those of whole days or weeks. */
async function deleteBefore(queries: Queries, date: Date, { rows, summaries, weeks }: Expiring): Promise<void> {
  const before = sql`${date.toISOString()}::timestamptz`;
  for (const table of rows) await deleteInPortions(queries, table, sql`at < ${before}`);
  for (const table of summaries) await deleteInPortions(queries, table, sql`at < date_trunc('day', ${before}, 'UTC')`);
  for (const table of weeks) await deleteInPortions(queries, table, sql`at < date_trunc('week', ${before}, 'UTC')`);
}

/** Uses the database's clock for all replicas: a partition dropped by a wrong clock is lost for good. */
async function clockOf({ kysely }: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(kysely);
  return new Date(rows[0]?.now ?? 0);
}
