import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, type TestDatabase } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMonths } from '../usage/partitions.ts';
import { readInOrder } from './examined-records.ts';
import { exportRequests } from './export-requests.ts';
import { listQuery, listRequests } from './list-requests.ts';
import type { RequestFilters } from './request-filters.ts';
import { sumRequests } from './sum-requests.ts';

type Wanted = RequestFilters & Parameters<typeof listQuery>[1];

let place: TestDatabase;
let database: Database;

/** Records of two months, one every minute. Of each thousand one failed, one was rescued, one refused, and one client left. */
const records = 60_000;
/** Inserted by one statement: on a busy machine all at once would take longer than a statement may. */
const portion = 6_000;

beforeAll(async () => {
  place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  database = await openDatabase({ url: place.url, postgres: { statementTimeoutMs: 60_000, holdTimeoutMs: 60_000 } });
  await database.migrate();
  await createMonths(database, ['2026-10', '2026-11']);
  for (let from = 1; from <= records; from += portion)
    await sql`insert into usage_records (id, at, request_id, account_id, key_id, operation, requested_model, model, provider,
        attempts, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, image_in_tokens,
        image_out_tokens, images, cost, costs, price_version, source, flags, own_key, cached, stream, duration_ms, end_reason,
        status, error, project_id)
      select 'use_' || n, '2026-10-10T00:00:00Z'::timestamptz + n * interval '1 minute', 'req_' || n, 'account',
        case when n % 2 = 0 then 'key-busy' else 'key-' || n % 200 end, 'chat', 'model', 'model-' || n % 50, 'provider-' || n % 40,
        case when n % 1000 = 1 then '[]'
          when n % 500 = 0 then jsonb_build_array(
            jsonb_build_object('provider', 'ill', 'error', 'provider_overloaded'),
            jsonb_build_object('provider', 'provider-' || n % 40, 'error', 'none'))
          else jsonb_build_array(jsonb_build_object('provider', 'provider-' || n % 40, 'error', 'none')) end, 1, 0, 0, 1, 0, 0, 0, 0, n * 0.001,
        '{}', 'v1', 'reported', '[]', false, false, false, n % 7919,
        case n % 1000 when 0 then 'error' when 1 then 'refused' when 2 then 'client_gone' else 'done' end, 200,
        case when n % 1000 = 0 then 'upstream_error' end, case when n % 40 = 0 then 'project-' || n % 3 end
      from generate_series(${from}::int, ${from + portion - 1}::int) as n`.execute(database.kysely);
  await sql`analyze usage_records`.execute(database.kysely);
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const scope = { accountId: 'account', keys: undefined };
const filters = (changes: Partial<Wanted> = {}): Wanted => ({
  from: new Date('2026-10-20T00:00:00Z'),
  until: undefined,
  limit: 50,
  ...changes,
});
/** The time of the record of a number. */
const timeOf = (number: number): string => new Date(Date.parse('2026-10-10T00:00:00Z') + number * 60_000).toISOString();
const cursor = `${Date.parse('2026-11-10T00:00:00Z')}.use_5`;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
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
    .map((node) => ({
      type: node['Node Type'],
      rows: node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0),
    }));
}

test.each<[string, Partial<Wanted>, readonly string[] | undefined]>([
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
  ['of failed requests', { outcome: 'failed' }, undefined],
  ['of refused requests', { outcome: 'refused' }, undefined],
  ['of requests whose client left', { outcome: 'client_left' }, undefined],
  ['of requests that failed over', { outcome: 'failed_over' }, undefined],
  ['of rescued requests', { outcome: 'rescued' }, undefined],
  ['of requests that failed at a provider', { failedAt: 'ill' }, undefined],
  ['of requests that tried a provider', { tried: 'ill' }, undefined],
  ['with an id', { id: 'req_4711' }, undefined],
])('the first page %s reads only its records, by an index', async (_what, changes, keys) => {
  const scans = await scansOf({ ...scope, keys }, filters(changes));
  expect(scans.filter(({ type }) => type === 'Seq Scan')).toEqual([]);
  const isChecked = ['error', 'model', 'provider', 'project', 'outcome', 'failedAt', 'tried'];
  const isWhole = isChecked.every((name) => !(name in changes));
  // One more than the page shows that there is another one, and one more that no other record has the same time. A
  // condition that is checked as well reads all records of its kind, up to the bound.
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(isWhole ? 52 : records / 40);
});

test.each<[string, Partial<Wanted>]>([
  ['failed', { outcome: 'failed' }],
  ['failed over', { outcome: 'failed_over' }],
  ['were refused', { outcome: 'refused' }],
  ['failed at a provider', { failedAt: 'ill' }],
  ['tried a provider', { tried: 'ill' }],
])('another order of requests that %s reads only its records, by an index', async (_what, changes) => {
  const scans = await scansOf(scope, filters({ ...changes, sort: 'cost' }));
  expect(Math.max(...scans.map(({ rows }) => rows))).toBeLessThanOrEqual(records / 40);
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

/** What became of every thousandth record. */
const ofEach = records / 1_000;

test.each<[string, Partial<Wanted>, number]>([
  ['ok', { outcome: 'ok' }, records - 3 * ofEach],
  ['failed', { outcome: 'failed' }, ofEach],
  ['failed over', { outcome: 'failed_over' }, 2 * ofEach],
  ['rescued', { outcome: 'rescued' }, ofEach],
  ['refused', { outcome: 'refused' }, ofEach],
  ['left', { outcome: 'client_left' }, ofEach],
  ['cached', { outcome: 'cached' }, 0],
  ['failed at the ill provider', { failedAt: 'ill' }, 2 * ofEach],
  ['failed at the provider that helped', { failedAt: 'provider-0' }, 0],
  ['tried at the ill provider', { tried: 'ill' }, 2 * ofEach],
  ['tried at a provider of every fortieth', { tried: 'provider-1' }, records / 40 - records / 1_000],
])('the export has exactly the requests that were %s, newest first', async (_what, changes, count) => {
  const lines: string[] = [];
  const all = { ...filters(changes), from: new Date('2026-10-01T00:00:00Z') };
  for await (const piece of exportRequests(database, scope, all)) lines.push(...piece.trimEnd().split('\r\n'));
  const [, ...rows] = lines.filter((line) => line !== '');
  expect(rows.length).toBe(count);
  expect(rows).toEqual(rows.toSorted((one, other) => (one < other ? 1 : -1)));
  expect(new Set(rows).size).toBe(count);
});

test('another order is that of a bounded number of the newest, and the next page has those before them', async () => {
  const dearest = filters({ sort: 'duration', limit: 2 });
  const first = await listRequests(database, scope, dearest);
  expect(first.requests.map(({ durationMs }) => durationMs)).toEqual([7_918, 7_917]);
  expect(first.nextCursor).toMatch(/\.use_50001$/);
  expect(first.sortedSince).toBe(timeOf(50_001));
  const scans = await scansOf(scope, dearest);
  expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(10_000 + 3);
  const costs = await listRequests(database, scope, { ...dearest, sort: 'cost', cursor: first.nextCursor });
  expect(costs.requests.map(({ id }) => id)).toEqual(['use_50000', 'use_49999']);
  const rest = await listRequests(database, scope, { ...dearest, outcome: 'refused', sort: 'cost' });
  expect(rest.requests.map(({ id }) => id)).toEqual(['use_59001', 'use_58001']);
  expect([rest.nextCursor, rest.sortedSince]).toEqual([undefined, undefined]);
});

test('a list of several keys says since when its requests are sorted, which are fewer', async () => {
  const keys = ['key-busy', ...Array.from({ length: 99 }, (_, at) => `key-unused-${at}`)];
  const { requests, ...rest } = await listRequests(database, { ...scope, keys }, filters({ sort: 'cost', limit: 2 }));
  expect(requests.map(({ id }) => id)).toEqual(['use_60000', 'use_59998']);
  expect(rest).toEqual({ nextCursor: `${Date.parse(timeOf(59_802))}.use_59802`, sortedSince: timeOf(59_802) });
  const byTime = await listRequests(database, { ...scope, keys }, filters({ limit: 1 }));
  expect(byTime).toEqual({ requests: [expect.objectContaining({ id: 'use_60000' })], nextCursor: expect.any(String) });
});

test('sums say since when they count, if there is more than they may examine', async () => {
  expect(await sumRequests(database, scope, filters({ outcome: 'refused' }))).toEqual({
    requests: 45,
    tokens: 90,
    cost: '1665.045',
  });
  expect(await sumRequests(database, scope, filters({ cached: false }))).toEqual({
    requests: 10_000,
    tokens: 20_000,
    cost: '550005',
    since: timeOf(50_001),
  });
  const keys = ['key-busy', 'key-7'];
  expect((await sumRequests(database, { ...scope, keys }, filters())).requests).toBe(5_000);
});

const idsOfExport = async (of: typeof scope | { accountId: string; keys: string[] }, changes: Partial<Wanted>) => {
  const ids: string[] = [];
  const { limit: _limit, ...all } = { ...filters(changes), from: new Date('2026-10-01T00:00:00Z') };
  for await (const piece of exportRequests(database, of, all)) ids.push(...(piece.match(/(?<=,)use_\d+(?=,)/g) ?? []));
  return ids;
};
const pagesOf = async (of: Parameters<typeof listRequests>[1], changes: Partial<Wanted>) => {
  const wanted = { ...filters(changes), from: new Date('2026-10-01T00:00:00Z'), limit: 10_000 };
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listRequests(database, of, { ...wanted, cursor });
    ids.push(...page.requests.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
};

test.each<[string, Parameters<typeof listRequests>[1], Partial<Wanted>, number]>([
  ['duration, also beyond what is sorted at once', scope, { provider: 'provider-1', sort: 'duration' }, records / 40],
  ['cost, of two keys', { ...scope, keys: ['key-1', 'key-3'] }, { sort: 'cost' }, records / 100],
  ['first content, which none has', scope, { outcome: 'rescued', sort: 'first_byte' }, ofEach],
])('the export has the order of the list: %s', async (_what, of, changes, count) => {
  const ids = await idsOfExport(of as typeof scope, changes);
  expect(ids).toEqual(await pagesOf(of, changes));
  expect(new Set(ids).size).toBe(count);
});

test('the export of another order has every request once, 10,000 at a time', async () => {
  const ids = await idsOfExport(scope, { sort: 'duration' });
  expect(new Set(ids).size).toBe(records);
  expect(ids).toHaveLength(records);
  const places = ids.map((id) => Number(id.slice(4)));
  expect(Math.min(...places.slice(0, 10_000))).toBe(records - 10_000 + 1);
  const durations = places.slice(0, 10_000).map((place) => place % 7919);
  expect(durations).toEqual(durations.toSorted((one, other) => other - one));
});

test('the export of another order sorts no fewer than it writes at once, of however many keys', async () => {
  const keys = ['key-1', ...Array.from({ length: 999 }, (_, at) => `key-unused-${at}`)];
  const ids = await idsOfExport({ ...scope, keys }, { sort: 'duration' });
  expect(new Set(ids).size).toBe(records / 200);
  const durations = ids.slice(0, 250).map((id) => Number(id.slice(4)) % 7919);
  expect(durations).toEqual(durations.toSorted((one, other) => other - one));
});
