import type { UsageOperation } from '@switchyard/contracts';
import { type Database, type RawBuilder, sql } from '@switchyard/database';
import type { RequestSummary } from '@switchyard/management';
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

/** Records examined for one page at most, so that a filter that matches nothing ends soon. */
const mostExamined = 20_000;

export async function listRequests(
  { kysely }: Database,
  scope: RequestScope,
  filters: RequestFilters,
): Promise<{ requests: RequestSummary[]; nextCursor?: string }> {
  const { limit } = filters;
  const { rows } = await listQuery(scope, filters).execute(kysely);
  const [first] = rows;
  const matched = rows.filter(({ id }) => id !== null);
  const page = matched.slice(0, limit);
  const last = page.at(-1);
  if (matched.length > limit && last) return { requests: page.map(summaryOf), nextCursor: cursorOf(last.at, last.id) };
  const isMore = first !== undefined && first.examined === examinedFor(filters);
  return { requests: page.map(summaryOf), ...(isMore && { nextCursor: cursorOf(first.end_at, first.end_id) }) };
}

interface ListRow extends RequestRow {
  /** The number of records that were examined, and the time and id of the last one. */
  examined: number;
  end_at: string;
  end_id: string;
}

/**
 * One condition narrows the records by an index, in the order of the page; the others are checked on a bounded number of
 * records. So the time of a page depends neither on the size of the ledger nor on how rare a filter is.
 */
export function listQuery(scope: RequestScope, filters: RequestFilters): RawBuilder<ListRow> {
  return sql<ListRow>`
    with examined as materialized (${examinedRecords(scope, filters)}),
    matched as (select * from examined where ${checked(filters)} ${newestFirst} limit ${filters.limit + 1}),
    ending as (select at, id from examined order by at, id limit 1)
    select ${summaryColumns}, (select count(*)::int from examined) as examined,
      ${timeText(sql`ending.at`)} as end_at, ending.id as end_id
    from ending left join matched as record on true
    order by record.at desc, record.id desc`;
}

const newestFirst = sql`order by at desc, id desc`;

/** With a filter to check, more records are examined than the page has. */
const examinedFor = ({ limit, ...filters }: RequestFilters): number =>
  checkedConditions(filters).length > 0 ? mostExamined : limit + 1;

function examinedRecords({ accountId, keys }: RequestScope, filters: RequestFilters): RawBuilder<unknown> {
  const most = examinedFor(filters);
  const ofAccount = sql`account_id = ${accountId} and ${within(filters)} and ${narrowed(filters, keys !== undefined)}`;
  if (keys === undefined) return sql`select * from usage_records where ${ofAccount} ${newestFirst} limit ${most}`;
  return sql`select record.* from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as key
    cross join lateral (
      select * from usage_records where key_id = key.value and ${ofAccount} ${newestFirst} limit ${most}
    ) as record order by record.at desc, record.id desc limit ${most}`;
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

/** The condition with an index of its own, of which there is one for each of these filters. */
function narrowed({ id, project, error, model, provider }: RequestFilters, byKey: boolean): RawBuilder<unknown> {
  if (id !== undefined) return sql`(id = ${id} or request_id = ${id})`;
  if (byKey) return sql`true`;
  if (project !== undefined && project !== 'none') return sql`project_id = ${project}`;
  if (error !== undefined) return sql`error is not null`;
  if (model !== undefined) return sql`model = ${model}`;
  return provider === undefined ? sql`true` : sql`provider = ${provider}`;
}

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
