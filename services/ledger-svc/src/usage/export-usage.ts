import { type Database, sql } from '@tallyport/database';
import { csvColumns, csvHead, csvLines, type CsvRow, rowsOfPiece } from './csv-records.ts';
import { type UsageQuery, usageCondition } from './read-usage.ts';

/** Exports all records as CSV, oldest first, in pieces; only one piece is in memory at a time. */
export async function* exportUsage({ kysely }: Database, usageQuery: UsageQuery): AsyncGenerator<string> {
  yield csvHead;
  let after = { at: usageQuery.from.toISOString(), id: '' };
  for (;;) {
    const { rows } = await sql<CsvRow>`
      select ${csvColumns} from usage_records as record
      where ${usageCondition(usageQuery)} and (record.at, record.id) > (${after.at}::timestamptz, ${after.id})
      order by record.at, record.id limit ${rowsOfPiece}`.execute(kysely);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield csvLines(rows);
    after = last;
  }
}
