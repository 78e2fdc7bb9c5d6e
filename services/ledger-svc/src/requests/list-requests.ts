import type { UsageOperation } from '@tallyport/contracts';
import { type Database, type Queries, type RawBuilder, sql } from '@tallyport/database';
import type { RequestSummary } from '@tallyport/management';
import type { RequestScope } from './request-scope.ts';
import { type RequestRow, summaryColumns, summaryOf } from './request-row.ts';

export interface RequestFilters {
  from: Date;
  /** Exclusive. */
  until: Date | undefined;
  /** Of this project, or with `none` of none. */
  project?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  operation?: UsageOperation | undefined;
  status?: number | undefined;
  cached?: boolean | undefined;
  /** An error code, or `any`. */
  error?: string | undefined;
  costOver?: string | undefined;
  /** Of the record or of the request. */
  id?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Records examined for one page at most, so that a filter that matches nothing ends soon, even if each record is read from disk. */
const mostExamined = 4_000;

export function listRequests(
  database: Database,
  scope: RequestScope,
  filters: RequestFilters,
): Promise<{ requests: RequestSummary[]; nextCursor?: string }> {
  return readInOrder(database, { scope, filters }, (queries) => listPage(queries, scope, filters));
}

async function listPage(
  queries: Queries,
  scope: RequestScope,
  filters: RequestFilters,
): Promise<{ requests: RequestSummary[]; nextCursor?: string }> {
  const { limit } = filters;
  const { rows } = await listQuery(scope, filters).execute(queries);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length > limit && last) return { requests: page.map(summaryOf), nextCursor: cursorOf(last.at, last.id) };
  const end = checkedConditions(filters).length === 0 ? undefined : await lastExamined(queries, scope, filters);
  return { requests: page.map(summaryOf), ...(end && { nextCursor: cursorOf(end.at, end.id) }) };
}

/**
 * Runs the statements of a list so that the records of each of several keys are read in the order of the index and only up
 * to their limit. Postgres takes such a key for an average one, and would read and sort all records of a frequent one.
 */
export function readInOrder<Result>(
  { kysely }: Database,
  { scope: { keys = [] }, filters: { id } }: { scope: RequestScope; filters: RequestFilters },
  read: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  if (keys.length < 2 || id !== undefined) return read(kysely);
  return kysely.transaction().execute(async (transaction) => {
    await sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_seqscan', 'off', true)`.execute(transaction);
    return read(transaction);
  });
}

/**
 * One condition narrows the records by an index, in the order of the page; the others are checked on a bounded number of
 * records, until the page is full. So the time of a page depends neither on the size of the ledger nor on how rare a
 * filter is. The columns of the page are read last, because rows with all of them would be moved about.
 */
export function listQuery(scope: RequestScope, filters: RequestFilters): RawBuilder<RequestRow> {
  return sql<RequestRow>`
    with matched as materialized (
      select at, id from (${examinedRecords(scope, filters)} limit ${examinedFor(scope, filters)}) as examined
      where ${checked(filters)} limit ${filters.limit + 1}
    )
    select ${summaryColumns} from matched join usage_records as record using (at, id)
    order by at desc, id desc`;
}

/** The last record that a page has examined, if there may be more after it. */
async function lastExamined(
  queries: Queries,
  scope: RequestScope,
  filters: RequestFilters,
): Promise<{ at: string; id: string } | undefined> {
  const { rows } = await sql<{ at: string; id: string }>`
    select ${timeText(sql`at`)} as at, id
    from (${examinedRecords(scope, filters)} offset ${examinedFor(scope, filters) - 1} limit 1) as examined`.execute(
    queries,
  );
  return rows[0];
}

const newestFirst = sql`order by at desc, id desc`;

/** With a filter to check, more records are examined than the page has. The records of several keys are merged. */
function examinedFor({ keys }: RequestScope, { limit, ...filters }: RequestFilters): number {
  const most = Math.floor(mostExamined / Math.max(1, keys?.length ?? 1));
  return checkedConditions(filters).length > 0 ? Math.max(most, limit + 1) : limit + 1;
}

function examinedRecords(scope: RequestScope, filters: RequestFilters): RawBuilder<unknown> {
  const { accountId, keys } = scope;
  const ofAccount = sql`account_id = ${accountId} and ${within(filters)} and ${narrowed(filters, keys !== undefined)}`;
  const [key, ...others] = keys ?? [];
  if (keys === undefined) return sql`select * from usage_records where ${ofAccount} ${newestFirst}`;
  // Named by itself, because Postgres knows how frequent a key is: it would sort all records of one it takes for rare.
  if (key !== undefined && others.length === 0)
    return sql`select * from usage_records where key_id = ${key} and ${ofAccount} ${newestFirst}`;
  return sql`select record.* from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as key
    cross join lateral (
      select * from usage_records where key_id = key.value and ${ofAccount} ${newestFirst}
      limit ${examinedFor(scope, filters)}
    ) as record order by record.at desc, record.id desc`;
}

function within({ from, until, cursor }: RequestFilters): RawBuilder<unknown> {
  const conditions = [sql`at >= ${from.toISOString()}::timestamptz`];
  if (until !== undefined) conditions.push(sql`at < ${until.toISOString()}::timestamptz`);
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // The first condition leaves out partitions.
  if (after)
    conditions.push(sql`at <= ${after.at}::timestamptz and (at, id) < (${after.at}::timestamptz, ${after.id})`);
  return sql.join(conditions, sql` and `);
}

/** The condition with an index of its own. The first of those that apply leaves the fewest records. */
function narrowed(filters: RequestFilters, byKey: boolean): RawBuilder<unknown> {
  const { id } = filters;
  if (id !== undefined) return sql`(id = ${id} or request_id = ${id})`;
  const [narrowest = sql`true`] = byKey ? [] : indexed(filters);
  return narrowest;
}

/** The indexes of statuses and operations leave out the usual ones. */
const indexed = ({ error, status, operation, project, model, provider }: RequestFilters): RawBuilder<unknown>[] =>
  [
    error !== undefined && error !== 'any' && sql`error = ${error}`,
    status !== undefined && status !== 200 && sql`(status = ${status} and status <> 200)`,
    operation !== undefined && operation !== 'chat' && sql`(operation = ${operation} and operation <> 'chat')`,
    project !== undefined && project !== 'none' && sql`project_id = ${project}`,
    error !== undefined && sql`error is not null`,
    model !== undefined && sql`model = ${model}`,
    provider !== undefined && sql`provider = ${provider}`,
  ].filter((condition) => condition !== false);

const checked = (filters: RequestFilters): RawBuilder<unknown> =>
  sql.join([sql`true`, ...checkedConditions(filters)], sql` and `);

function checkedConditions(filters: Omit<RequestFilters, 'limit'>): RawBuilder<unknown>[] {
  const { project, model, provider, operation, status, cached, error, costOver } = filters;
  const conditions: RawBuilder<unknown>[] = [];
  if (project !== undefined)
    conditions.push(project === 'none' ? sql`project_id is null` : sql`project_id = ${project}`);
  if (model !== undefined) conditions.push(sql`model = ${model}`);
  if (provider !== undefined) conditions.push(sql`provider = ${provider}`);
  if (operation !== undefined) conditions.push(sql`operation = ${operation}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (cached !== undefined) conditions.push(sql`cached = ${cached}`);
  if (error !== undefined) conditions.push(error === 'any' ? sql`error is not null` : sql`error = ${error}`);
  if (costOver !== undefined) conditions.push(sql`cost > ${costOver}::numeric`);
  return conditions;
}

const timeText = (at: RawBuilder<unknown>) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const cursorOf = (at: string, id: string): string => `${Date.parse(at)}.${id}`;

function readCursor(cursor: string): { at: string; id: string } {
  const point = cursor.indexOf('.');
  return { at: new Date(Number(cursor.slice(0, point))).toISOString(), id: cursor.slice(point + 1) };
}
