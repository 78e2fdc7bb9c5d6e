import { type Database, type Queries, sql } from '@tallyport/database';
import type { RequestOrder } from '@tallyport/management';
import { csvColumns, csvHead, csvLines, type CsvRow, rowsOfPiece } from '../usage/csv-records.ts';
import {
  cursorBehind,
  cursorOf,
  type Examination,
  examinedRecords,
  matching,
  readInOrder,
  shareOfKey,
} from './examined-records.ts';
import { mostCounted, mostExamined, ranks } from './list-requests.ts';
import type { RequestFilters } from './request-filters.ts';
import type { RequestScope } from './request-scope.ts';

type Examined = Omit<Examination, 'most'>;

/** Exports the requests of a list as CSV, in its order, in pieces; only one piece is in memory at a time. */
export async function* exportRequests(
  database: Database,
  scope: RequestScope,
  { sort = 'time', ...filters }: RequestFilters & { sort?: RequestOrder },
): AsyncGenerator<string> {
  yield csvHead;
  yield* sort === 'time' ? newestFirst(database, { scope, filters }) : highestFirst(database, { scope, filters }, sort);
}

/** Of many keys, the share of each would be less than a piece. */
const atOnce = (scope: RequestScope, records: number): number => Math.max(rowsOfPiece, shareOfKey(scope, records));

async function* newestFirst(database: Database, { scope, filters }: Examined): AsyncGenerator<string> {
  const most = atOnce(scope, mostExamined);
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

/** As many records as the list sorts at once, then those before them. Of these only times and ids are in memory. */
async function* highestFirst(
  database: Database,
  { scope, filters }: Examined,
  sort: RequestOrder,
): AsyncGenerator<string> {
  const most = atOnce(scope, mostCounted);
  let cursor: string | undefined;
  do {
    const examination = { scope, filters, most, cursor };
    const sorted = await readInOrder(database, examination, async (queries) => ({
      places: await sortedPlaces(queries, examination, sort),
      next: await cursorBehind(queries, examination),
    }));
    for (let from = 0; from < sorted.places.length; from += rowsOfPiece)
      yield csvLines(await readPlaces(database.kysely, sorted.places.slice(from, from + rowsOfPiece)));
    cursor = sorted.next;
  } while (cursor !== undefined);
}

interface RecordPlace {
  at: string;
  id: string;
}

async function sortedPlaces(queries: Queries, examination: Examination, sort: RequestOrder): Promise<RecordPlace[]> {
  const { rows } = await sql<RecordPlace>`
    select at::text as at, id from ${examinedRecords(examination)} where ${matching(examination)}
    order by ${ranks[sort]} desc nulls last, examined.at desc, id desc`.execute(queries);
  return rows;
}

async function readPlaces(queries: Queries, places: readonly RecordPlace[]): Promise<CsvRow[]> {
  const { rows } = await sql<CsvRow>`
    select ${csvColumns}
    from rows from (jsonb_to_recordset(${JSON.stringify(places)}::text::jsonb) as (at timestamptz, id text))
      with ordinality as place(at, id, position)
    join usage_records as record using (at, id) order by position`.execute(queries);
  return rows;
}
