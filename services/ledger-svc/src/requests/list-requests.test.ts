import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMonths } from '../usage/partitions.ts';
import { listQuery, listRequests, readInOrder, type RequestFilters } from './list-requests.ts';

let place: TestDatabase;
let database: Database;

/** Records of two months, one every minute, of which a thousandth failed. */
const records = 60_000;
/** Inserted by one statement: on a busy machine all at once would take longer than a statement may. */
const portion = 6_000;

beforeAll(async () => {
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  database = await openDatabase({ url: place.url });
  await database.migrate();
  await createMonths(database, ['2026-10', '2026-11']);
  for (let from = 1; from <= records; from += portion)
    await sql`insert into usage_records (id, at, request_id, account_id, key_id, operation, requested_model, model, provider,
        attempts, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, image_in_tokens,
        image_out_tokens, images, cost, costs, price_version, source, flags, own_key, cached, stream, duration_ms, end_reason,
        status, error, project_id)
      select 'use_' || n, '2026-10-10T00:00:00Z'::timestamptz + n * interval '1 minute', 'req_' || n, 'account',
        case when n % 2 = 0 then 'key-busy' else 'key-' || n % 200 end, 'chat', 'model', 'model-' || n % 50, 'provider-' || n % 40, '[]', 1, 0, 0, 1, 0, 0, 0, 0, 0.001,
        '{}', 'v1', 'reported', '[]', false, false, false, 10, 'done', 200,
        case when n % 1000 = 0 then 'upstream_error' end, case when n % 40 = 0 then 'project-' || n % 3 end
      from generate_series(${from}::int, ${from + portion - 1}::int) as n`.execute(database.kysely);
  await sql`analyze usage_records`.execute(database.kysely);
}, 60_000);
afterAll(async () => {
  await database.close();
  await place.drop();
});

const scope = { accountId: 'account', keys: undefined };
const filters = (changes: Partial<RequestFilters> = {}): RequestFilters => ({
  from: new Date('2026-10-20T00:00:00Z'),
  until: undefined,
  limit: 50,
  ...changes,
});
const cursor = `${Date.parse('2026-11-10T00:00:00Z')}.use_5`;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

/** The scans of the ledger in the plan of a page, with the number of records each has read. */
async function scansOf(...list: Parameters<typeof listQuery>): Promise<{ type: string; rows: number }[]> {
  const [scope, filters] = list;
  const { rows } = await readInOrder(database, { scope, filters }, (queries) =>
    sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`explain (analyze, format json) ${listQuery(scope, filters)}`.execute(
      queries,
    ),
  );
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  const all = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodes(Plan)));
  return all
    .filter((node) => node['Relation Name']?.startsWith('usage_records'))
    .map((node) => ({ type: node['Node Type'], rows: node['Actual Rows'] }));
}

test.each<[string, Partial<RequestFilters>, readonly string[] | undefined]>([
  ['of the account', {}, undefined],
  ['after a cursor', { cursor }, undefined],
  ['of a key', {}, ['key-7']],
  ['of the keys of a member', {}, ['key-7', 'key-9', 'key-11']],
  ['of a project', { project: 'project-1' }, undefined],
  ['of a model', { model: 'model-3' }, undefined],
  ['of a provider', { provider: 'provider-3' }, undefined],
  ['with an error', { error: 'any' }, undefined],
  ['with an error code', { error: 'upstream_error' }, undefined],
  ['with a rare status', { status: 418 }, undefined],
  ['of a rare operation', { operation: 'speech' }, undefined],
  ['with an id', { id: 'req_4711' }, undefined],
])('the first page %s reads only its records, by an index', async (_what, changes, keys) => {
  const scans = await scansOf({ ...scope, keys }, filters(changes));
  expect(scans.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
  const isWhole = ['error', 'model', 'provider', 'project'].every((name) => !(name in changes));
  // One more than the page shows that there is another one, and one more that no other record has the same time. A
  // condition that is checked as well reads all records of its kind, up to the bound.
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(isWhole ? 52 : records / 40);
});

test('of a frequent key among others, a filter examines no more records than of a rare one', async () => {
  const keys = ['key-busy', 'key-7', 'key-9'];
  const rare = filters({ from: new Date('2026-10-01T00:00:00Z'), cached: true });
  const scans = await scansOf({ ...scope, keys }, rare);
  expect(scans.filter(({ type }) => !type.startsWith('Index'))).toEqual([]);
  // As many as are examined of each key; the frequent one has half of all records.
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(Math.floor(4_000 / keys.length));
});

test('a filter that matches nothing examines a bounded number of records, and says that there are more', async () => {
  const rare = filters({ from: new Date('2026-10-01T00:00:00Z'), cached: true });
  const scans = await scansOf(scope, rare);
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(4_000);
  let pages = 0;
  for (let next: string | undefined = ''; next !== undefined; pages += 1) {
    const page = await listRequests(database, scope, { ...rare, ...(next && { cursor: next }) });
    expect(page.requests).toEqual([]);
    next = page.nextCursor;
  }
  expect(pages).toBe(records / 4_000 + 1);
});
