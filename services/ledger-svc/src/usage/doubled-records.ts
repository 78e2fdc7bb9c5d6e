import { type Database, sql } from '@tallyport/database';

/**
 * How many records of the last day have the id of another one. The ledger recognises a record by its time and id, so that a
 * request whose record was made again at another time is counted twice, in sums and budgets too.
 */
export async function countDoubledRecords({ aside }: Database): Promise<number> {
  const { rows } = await sql<{ count: string }>`select coalesce(sum(times - 1), 0) as count from (
      select count(*) as times from usage_records where at > now() - interval '1 day' group by id having count(*) > 1
    ) as doubled`.execute(aside);
  return Number(rows[0]?.count ?? 0);
}
