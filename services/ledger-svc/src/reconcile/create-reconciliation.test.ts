import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Database, sql } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { type NewReconciliation, reconciliationOperations } from '@tallyport/management';
import { openMemoryStore } from '@tallyport/store';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLedger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { createComparisonTurns } from './comparison-turns.ts';
import { createReconciliation } from './create-reconciliation.ts';
import { listReconciliations } from './keep-reconciliation.ts';
import type { ComparisonLimits } from './compare-vendor.ts';

const adminKey = 'sk-admin-of-a-test';
const caller = { accountId: 'one', actor: 'user:ada', role: 'admin', operator: false } as const;
const columns = { day: 'Day', model: 'Model', amount: 'Cost' };
const csvOf = (...rows: string[]): string => ['Day,Model,Cost', ...rows].join('\n');

let database: Database;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ database, remove } = await testDatabases.postgres());
  await database.migrate();
  await database.kysely.insertInto('accounts').values({ id: 'one', name: 'One' }).execute();
  const ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
  await ledger.start();
  ledger.stop();
});
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(async () => {
  await database.close();
  await remove();
});

const turns = createComparisonTurns(openMemoryStore());

interface Tried {
  as?: Partial<Parameters<typeof createReconciliation>[1]>;
  limits?: Partial<ComparisonLimits>;
  baseUrl?: string;
}

function compare(changes: Partial<NewReconciliation>, { as, limits, baseUrl }: Tried = {}) {
  const input = reconciliationOperations.createReconciliation.input.parse({
    vendor: 'openrouter',
    from: '2026-11-01',
    to: '2026-11-30',
    ...changes,
  });
  const bounds = { deadlineMs: 5_000, mostItems: 100, ...limits };
  const tools = { database, turns, baseUrlOf: () => baseUrl, limits: bounds };
  return createReconciliation(tools, { ...caller, ...as }, input);
}

const kept = () => listReconciliations(database, { accountId: 'one', operator: true, limit: 100 });

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('compares a bill as CSV, stores the result, and notes who asked', async () => {
  const csv = csvOf('2026-11-02,<img src=x onerror=alert(1)>,1.5');
  const made = await compare({ vendor: '<b>vendor</b>', csv, map: { columns } });
  const sums = { ours: '0', theirs: '1.5', difference: '1.5', reasons: { outside_gateway: '1.5' } };
  const row = { day: '2026-11-02', model: '<img src=x onerror=alert(1)>', billedClass: 'all', key: '', ...sums };
  expect(made).toEqual({
    id: expect.stringMatching(/^reconciliation_/),
    at: expect.any(String),
    scope: 'account',
    vendor: '<b>vendor</b>',
    from: '2026-11-01',
    to: '2026-11-30',
    ...sums,
    ratio: 1,
    rows: [row],
  });
  expect(await kept()).toEqual([made]);
  const { rows } = await sql`select actor, action, subject, detail from audit_log where account_id = 'one'`.execute(
    database.kysely,
  );
  const detail = { vendor: '<b>vendor</b>', from: '2026-11-01', to: '2026-11-30', scope: 'account' };
  expect(rows).toEqual([{ actor: 'user:ada', action: 'reconciliation.created', subject: made.id, detail }]);
});

test('reads the report of a vendor at the configured address, and keeps its key nowhere', async () => {
  const keys: unknown[] = [];
  const baseUrl = await served(({ headers }, response) => {
    keys.push(headers.authorization);
    response.end('{"data":[{"date":"2026-11-02","model":"m","usage":2.5,"requests":1}]}');
  });
  const made = await compare({ adminKey, to: '2026-11-01' }, { baseUrl });
  expect(keys).toEqual([`Bearer ${adminKey}`]);
  expect(made).toMatchObject({ vendor: 'openrouter', scope: 'account' });
  const { rows } = await sql<{ text: string }>`
    select reconciliations::text as text from reconciliations union all select audit_log::text from audit_log`.execute(
    database.kysely,
  );
  expect(rows.filter(({ text }) => text.includes(adminKey))).toEqual([]);
});

test('only operators compare the usage of the installation', async () => {
  const bill = { csv: csvOf(), map: { columns }, scope: 'installation' } as const;
  await expect(compare(bill)).rejects.toMatchObject({ code: 'permission_denied' });
  expect(await compare(bill, { as: { operator: true } })).toMatchObject({ scope: 'installation' });
});

test.for([
  [{}, { code: 'invalid_parameters', param: 'adminKey' }],
  [
    { adminKey, csv: '' },
    { code: 'invalid_parameters', param: 'csv' },
  ],
  [
    { adminKey, vendor: 'mistral' },
    { code: 'invalid_parameters', param: 'csv' },
  ],
  [{ csv: 'Day' }, { code: 'invalid_parameters', message: expect.stringContaining("needs 'columns'") }],
  [
    { adminKey, from: '2026-12-01' },
    { code: 'invalid_parameters', param: 'from' },
  ],
  [
    { adminKey, to: '2027-02-01' },
    { code: 'invalid_parameters', param: 'from' },
  ],
  [{ csv: csvOf(`2026-11-02,${'m'.repeat(501)},1`), map: { columns } }, { code: 'invalid_parameters' }],
  [{ csv: csvOf('2026-11-02,m,1e99'), map: { columns } }, { code: 'invalid_parameters' }],
] as const)('refuses %j and stores nothing', async ([changes, error]) => {
  const before = (await kept()).length;
  await expect(compare(changes)).rejects.toMatchObject(error);
  expect(await kept()).toHaveLength(before);
});

test('compares as many lines as its limit, and not one more', async () => {
  const csv = csvOf('2026-11-02,m,1', '2026-11-03,m,1');
  expect(await compare({ csv, map: { columns } }, { limits: { mostItems: 2 } })).toMatchObject({ theirs: '2' });
  const { message } = await compare({ csv, map: { columns } }, { limits: { mostItems: 1 } }).catch((error) => error);
  expect(message).toContain('Choose fewer days');
});

test('gives up a vendor that never answers, and the account can try again', async () => {
  const baseUrl = await served(() => undefined);
  const failure = { code: 'upstream_timeout', message: expect.not.stringContaining(adminKey) };
  const first = compare({ adminKey }, { baseUrl, limits: { deadlineMs: 100 } });
  await expect(compare({ adminKey }, { baseUrl })).rejects.toMatchObject({ code: 'conflict' });
  await expect(first).rejects.toMatchObject(failure);
  await expect(compare({ adminKey }, { baseUrl, limits: { deadlineMs: 100 } })).rejects.toMatchObject(failure);
});

test.for([
  [524_288, true],
  [524_289, false],
] as const)('takes a CSV of %i characters: %s', ([length, isTaken]) => {
  const input = { vendor: 'v', from: '2026-11-01', to: '2026-11-01', csv: 'x'.repeat(length) };
  expect(reconciliationOperations.createReconciliation.input.safeParse(input).success).toBe(isTaken);
});

test('refuses a key that no header can carry, without repeating it', () => {
  const input = { vendor: 'v', from: '2026-11-01', to: '2026-11-01', adminKey: 'sk-admin secret' };
  const { error } = reconciliationOperations.createReconciliation.input.safeParse(input);
  expect(error?.issues.map(({ message }) => message)).toEqual(['must be visible ASCII characters without spaces']);
});
