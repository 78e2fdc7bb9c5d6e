import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import { checkedConditions, narrowings, type RequestFilters } from './request-filters.ts';
import type { RequestScope } from './request-scope.ts';

/**
 * Records in the order of an index, of which a statement examines a bounded number. So its time depends neither on the
 * size of the ledger nor on how rare a filter is.
 */
export interface Examination {
  scope: RequestScope;
  filters: RequestFilters;
  /** Examine at most so many records, and of several keys so many of each. */
  most: number;
  /** Examine records behind this one. */
  cursor?: string | undefined;
}

/**
 * Runs statements so that the records of each of several keys are read in the order of the index and only up to their
 * limit. Postgres takes such a key for an average one, and would read and sort all records of a frequent one.
 */
export function readInOrder<Result>(
  { kysely }: Database,
  { scope: { keys = [] }, filters: { id } }: Pick<Examination, 'scope' | 'filters'>,
  read: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  if (keys.length < 2 || id !== undefined) return read(kysely);
  return kysely.transaction().execute(async (transaction) => {
    await sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_seqscan', 'off', true)`.execute(transaction);
    return read(transaction);
  });
}

/** The records that are examined, newest first, as the relation `examined`. */
export const examinedRecords = (examination: Examination): RawBuilder<unknown> =>
  sql`(${inOrder(examination)} limit ${examination.most}) as examined`;

/** The records that match all filters, among the examined ones. */
export const matching = ({ filters }: Examination): RawBuilder<unknown> =>
  sql.join([sql`true`, ...checkedConditions(filters)], sql` and `);

/** The cursor behind the last record that is examined, if there may be more after it. */
export async function cursorBehind(queries: Queries, examination: Examination): Promise<string | undefined> {
  const { rows } = await sql<{ at: string; id: string }>`
    select ${timeText(sql`at`)} as at, id
    from (${inOrder(examination)} offset ${examination.most - 1} limit 1) as examined`.execute(queries);
  return rows[0] && cursorOf(rows[0]);
}

/** The share of each key in records that are examined: those of several keys are merged. */
export const shareOfKey = ({ keys = [] }: RequestScope, records: number): number =>
  Math.max(1, Math.floor(records / Math.max(1, keys.length)));

const newestFirst = sql`order by at desc, id desc`;

function inOrder(examination: Examination): RawBuilder<unknown> {
  const { scope, filters } = examination;
  const { accountId, keys } = scope;
  const [narrowed = sql`true`, other] = narrowings(filters, keys !== undefined);
  const select = (condition: RawBuilder<unknown>) =>
    sql`select * from usage_records where account_id = ${accountId} and ${within(examination)} and ${condition} ${newestFirst}`;
  const limit = sql`limit ${examination.most}`;
  const [key, ...others] = keys ?? [];
  if (keys === undefined) {
    if (other === undefined) return select(narrowed);
    return sql`select * from ((${select(narrowed)} ${limit}) union all (${select(other)} ${limit})) as record ${newestFirst}`;
  }
  // Named by itself, because Postgres knows how frequent a key is: it would sort all records of one it takes for rare.
  if (key !== undefined && others.length === 0) return select(sql`key_id = ${key} and ${narrowed}`);
  return sql`select record.* from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as key
    cross join lateral (${select(sql`key_id = key.value and ${narrowed}`)} ${limit}) as record
    order by record.at desc, record.id desc`;
}

function within({ filters: { from, until }, cursor }: Examination): RawBuilder<unknown> {
  const conditions = [sql`at >= ${from.toISOString()}::timestamptz`];
  if (until !== undefined) conditions.push(sql`at < ${until.toISOString()}::timestamptz`);
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // The first condition leaves out partitions.
  if (after)
    conditions.push(sql`at <= ${after.at}::timestamptz and (at, id) < (${after.at}::timestamptz, ${after.id})`);
  return sql.join(conditions, sql` and `);
}

export const timeText = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const cursorOf = ({ at, id }: { at: string; id: string }): string => `${Date.parse(at)}.${id}`;

export const timeOfCursor = (cursor: string): string => readCursor(cursor).at;

function readCursor(cursor: string): { at: string; id: string } {
  const point = cursor.indexOf('.');
  return { at: new Date(Number(cursor.slice(0, point))).toISOString(), id: cursor.slice(point + 1) };
}
