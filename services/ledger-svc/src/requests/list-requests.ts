import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { RequestOrder, RequestSummary } from '@tallyport/management';
import { allTokens } from '../usage/usage-columns.ts';
import {
  cursorBehind,
  cursorOf,
  type Examination,
  examinedRecords,
  matching,
  readInOrder,
  shareOfKey,
  timeOfCursor,
} from './examined-records.ts';
import { checkedConditions, type RequestFilters } from './request-filters.ts';
import type { RequestScope } from './request-scope.ts';
import { type RequestRow, summaryColumns, summaryOf } from './request-row.ts';

interface WantedPage {
  sort?: RequestOrder;
  limit: number;
  cursor?: string | undefined;
}

interface RequestList {
  requests: RequestSummary[];
  nextCursor?: string;
  sortedSince?: string;
}

/** Records examined for one page at most, so that a filter that matches nothing ends soon, even if each record is read from disk. */
export const mostExamined = 4_000;

/** Records that are put in another order than that of time, or added up. The texts of the API name the number. */
export const mostCounted = 10_000;

export function listRequests(
  database: Database,
  scope: RequestScope,
  wanted: RequestFilters & WantedPage,
): Promise<RequestList> {
  return readInOrder(database, { scope, filters: wanted }, (queries) => listPage(queries, scope, wanted));
}

async function listPage(
  queries: Queries,
  scope: RequestScope,
  wanted: RequestFilters & WantedPage,
): Promise<RequestList> {
  const { limit } = wanted;
  const { rows } = await listQuery(scope, wanted).execute(queries);
  const page = rows.slice(0, limit);
  const requests = page.map(summaryOf);
  const last = page.at(-1);
  if (isByTime(wanted) && rows.length > limit && last) return { requests, nextCursor: cursorOf(last) };
  const mayHaveMore = !isByTime(wanted) || checkedConditions(wanted).length > 0;
  const nextCursor = mayHaveMore ? await cursorBehind(queries, examinationOf(scope, wanted)) : undefined;
  if (nextCursor === undefined) return { requests };
  return { requests, nextCursor, ...(!isByTime(wanted) && { sortedSince: timeOfCursor(nextCursor) }) };
}

/**
 * One condition narrows the records by an index, in the order of time; the others are checked on a bounded number of
 * records, until the page is full. Another order is that of all examined records. The columns of the page are read last,
 * because rows with all of them would be moved about.
 */
export function listQuery(scope: RequestScope, wanted: RequestFilters & WantedPage): RawBuilder<RequestRow> {
  const examination = examinationOf(scope, wanted);
  const order = isByTime(wanted) ? sql`` : sql`order by rank desc nulls last, at desc, id desc`;
  return sql<RequestRow>`
    with matched as materialized (
      select at, id, ${ranks[wanted.sort ?? 'time']} as rank from ${examinedRecords(examination)}
      where ${matching(examination)} ${order} limit ${wanted.limit + 1}
    )
    select ${summaryColumns} from matched join usage_records as record using (at, id)
    order by matched.rank desc nulls last, at desc, id desc`;
}

/** SQL: what each order begins with the highest of. */
export const ranks: Readonly<Record<RequestOrder, RawBuilder<unknown>>> = {
  time: sql`0`,
  cost: sql`cost`,
  tokens: sql.raw(allTokens),
  duration: sql`duration_ms`,
  first_byte: sql`first_byte_ms`,
};

const isByTime = ({ sort = 'time' }: WantedPage): boolean => sort === 'time';

/** With a filter to check, more records are examined than the page has. */
function examinationOf(scope: RequestScope, wanted: RequestFilters & WantedPage): Examination {
  const { cursor, limit } = wanted;
  const isChecked = checkedConditions(wanted).length > 0;
  const records = isByTime(wanted) ? (isChecked ? mostExamined : 0) : mostCounted;
  return { scope, filters: wanted, cursor, most: Math.max(limit + 1, shareOfKey(scope, records)) };
}
