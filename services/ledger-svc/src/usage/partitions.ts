import { type Database, type Queries, sql } from '@tallyport/database';

const table = /^usage_records_(\d{4})_(\d{2})$/;

/** The month that names a record's partition, from the record's own time, so that a repeated record meets itself. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Caches the months whose partitions exist, and creates and drops partitions. */
export interface KnownMonths {
  ensure(months: readonly string[]): Promise<void>;
  /** Drops the partitions of months that ended before `date`, and returns their names. */
  dropBefore(date: Date): Promise<string[]>;
  /** Clears the cache, after another replica may have dropped partitions. */
  forget(): void;
}

export function createKnownMonths(database: Database): KnownMonths {
  const known = new Set<string>();
  return {
    async ensure(months) {
      const missing = [...new Set(months)].filter((month) => !known.has(month));
      await createMonths(database, missing);
      for (const month of missing) known.add(month);
    },
    async dropBefore(date) {
      const dropped = await oneAtATime(database, (queries) => dropMonths(queries, date));
      // A late record may need such a partition again.
      if (dropped.length > 0) known.clear();
      return dropped;
    },
    forget: () => known.clear(),
  };
}

/** Creates the partitions of these months (`2026-11`) if they do not exist. */
export async function createMonths(database: Database, months: readonly string[]): Promise<void> {
  if (months.length === 0) return;
  await oneAtATime(database, async (queries) => {
    for (const month of months) {
      const name = `usage_records_${month.replace('-', '_')}`;
      const [from, to] = [startOf(month), startOf(nextMonth(month))].map((date) => sql.lit(date.toISOString()));
      await sql`create table if not exists ${sql.table(name)} partition of usage_records
        for values from (${from}) to (${to})`.execute(queries);
    }
  });
}

async function dropMonths(queries: Queries, date: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    join pg_inherits on inhrelid = pg_class.oid
    where inhparent = 'usage_records'::regclass`.execute(queries);
  const dropped = rows.flatMap(({ name }) => {
    const [, year, month] = table.exec(name) ?? [];
    return year !== undefined && startOf(nextMonth(`${year}-${month}`)) <= date ? [name] : [];
  });
  for (const name of dropped) await sql`drop table if exists ${sql.table(name)}`.execute(queries);
  return dropped;
}

/** Any number that no other lock uses. */
const lockNumber = 727_104_006;

/** `if not exists` is not safe between concurrent replicas, so they take a lock. */
const oneAtATime = <Result>({ kysely }: Database, work: (queries: Queries) => Promise<Result>): Promise<Result> =>
  kysely.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockNumber})`.execute(transaction);
    return work(transaction);
  });

const startOf = (month: string): Date => new Date(`${month}-01T00:00:00Z`);

export function nextMonth(month: string): string {
  const date = startOf(month);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return monthOf(date);
}
