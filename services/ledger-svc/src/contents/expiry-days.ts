import { type Database, type Queries, sql } from '@tallyport/database';
import { dayMs, dayOf } from '../usage/days.ts';

const table = /^request_contents_(\d{4})_(\d{2})_(\d{2})$/;

/** The day on which contents expire that are kept for this many days, as `2026-11-23`. */
export const expiryDay = (now: Date, days: number): string => dayOf(new Date(now.getTime() + days * dayMs));

/** Creates the partitions of these days if they do not exist. */
export async function createExpiryDays(database: Database, days: readonly string[]): Promise<void> {
  if (days.length === 0) return;
  await oneAtATime(database, async (queries) => {
    for (const day of days) {
      const name = `request_contents_${day.replaceAll('-', '_')}`;
      const next = expiryDay(new Date(day), 1);
      await sql`create table if not exists ${sql.table(name)} partition of request_contents
        for values from (${sql.lit(day)}) to (${sql.lit(next)})`.execute(queries);
    }
  });
}

/** Drops the partitions of the days before today, by the clock of the database. */
export const dropExpiredDays = (database: Database): Promise<void> =>
  oneAtATime(database, async (queries) => {
    const { rows } = await sql<{ name: string; today: string }>`select relname as name,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today
      from pg_class join pg_inherits on inhrelid = pg_class.oid
      where inhparent = 'request_contents'::regclass`.execute(queries);
    for (const { name, today } of rows) {
      const [, ...day] = table.exec(name) ?? [];
      if (day.length === 3 && day.join('-') < today) await sql`drop table ${sql.table(name)}`.execute(queries);
    }
  });

/** Any number that no other lock uses. */
const lockNumber = 727_104_027;

/** `if not exists` is not safe between concurrent replicas, so they take a lock. */
const oneAtATime = ({ kysely }: Database, work: (queries: Queries) => Promise<void>): Promise<void> =>
  kysely.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(transaction);
    await work(transaction);
  });
