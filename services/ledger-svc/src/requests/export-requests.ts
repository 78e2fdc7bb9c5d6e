import { type Database, sql } from '@tallyport/database';
import { csvColumns, csvHead, csvLines, type CsvRow, rowsOfPiece } from '../usage/csv-records.ts';
import { cursorBehind, cursorOf, examinedRecords, matching, readInOrder, shareOfKey } from './examined-records.ts';
import { mostExamined } from './list-requests.ts';
import type { RequestFilters } from './request-filters.ts';
import type { RequestScope } from './request-scope.ts';

/** Exports the requests of a list as CSV, newest first, in pieces; only one piece is in memory at a time. */
export async function* exportRequests(
  database: Database,
  scope: RequestScope,
  filters: RequestFilters,
): AsyncGenerator<string> {
  yield csvHead;
  const most = Math.max(rowsOfPiece, shareOfKey(scope, mostExamined));
  let cursor: string | undefined;
  do {
    const examination = { scope, filters, most, cursor };
    const piece = await readInOrder(database, examination, async (queries) => {
      const { rows } = await sql<CsvRow>`
        with matched as materialized (
          select at, id from ${examinedRecords(examination)} where ${matching(examination)} limit ${rowsOfPiece}
        )
        select ${csvColumns} from matched join usage_records as record using (at, id)
        order by record.at desc, record.id desc`.execute(queries);
      const last = rows.length === rowsOfPiece ? rows.at(-1) : undefined;
      return { rows, next: last ? cursorOf(last) : await cursorBehind(queries, examination) };
    });
    yield csvLines(piece.rows);
    cursor = piece.next;
  } while (cursor !== undefined);
}
