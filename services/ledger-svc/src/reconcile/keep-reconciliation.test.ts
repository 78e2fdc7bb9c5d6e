import type { Reconciliation } from '@tallyport/contracts';
import { type Database } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepReconciliation, listReconciliations, newestRatios, readReconciliation } from './keep-reconciliation.ts';

let database: Database;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ database, remove } = await testDatabases.postgres());
  await database.migrate();
  const accounts = ['one', 'two'].map((id) => ({ id, name: id }));
  await database.kysely.insertInto('accounts').values(accounts).execute();
});
afterAll(async () => {
  await database.close();
  await remove();
});

const result = (ratio: number, vendor = 'alpha'): Reconciliation => ({
  vendor,
  from: '2026-11-01',
  to: '2026-11-02',
  ours: '1',
  theirs: '1',
  difference: '0',
  reasons: {},
  ratio,
  rows: [],
});

test('lists the results of the account, and those of the installation for operators', async () => {
  await keepReconciliation(database, { result: result(0.1) });
  const { id } = await keepReconciliation(database, { accountId: 'one', result: result(0.2) });
  const list = (accountId: string, operator: boolean) =>
    listReconciliations(database, { accountId, operator, limit: 9 });
  expect(await list('one', false)).toEqual([{ id, at: expect.any(String), scope: 'account', ...result(0.2) }]);
  expect((await list('one', true)).map(({ scope, ratio }) => [scope, ratio])).toEqual([
    ['account', 0.2],
    ['installation', 0.1],
  ]);
  expect(await list('two', false)).toEqual([]);
});

test('reads one result of the account, and one of the installation for operators', async () => {
  const own = await keepReconciliation(database, { accountId: 'one', result: result(0.3) });
  const shared = await keepReconciliation(database, { result: result(0.1) });
  const read = ({ id }: { id: string }, accountId: string, operator: boolean) =>
    readReconciliation(database, { id, accountId, operator });
  expect(await read(own, 'one', false)).toMatchObject({ ...own, scope: 'account', ratio: 0.3 });
  expect(await read(shared, 'one', true)).toMatchObject({ ...shared, scope: 'installation' });
  const unseen = [read(own, 'two', true), read(shared, 'one', false), read({ id: 'other' }, 'one', true)];
  const outcomes = await Promise.allSettled(unseen);
  const missing = { status: 'rejected', reason: expect.objectContaining({ code: 'not_found' }) };
  expect(outcomes).toEqual([missing, missing, missing]);
});

test('keeps the newest hundred of each owner, and knows the newest of each vendor', async () => {
  for (let at = 1; at <= 100; at += 1) await keepReconciliation(database, { accountId: 'two', result: result(at) });
  const ratios = async () =>
    (await listReconciliations(database, { accountId: 'two', operator: false, limit: 200 })).map(({ ratio }) => ratio);
  expect([(await ratios()).length, (await ratios()).at(-1)]).toEqual([100, 1]);
  await keepReconciliation(database, { accountId: 'two', result: result(0.5, 'beta') });
  expect([(await ratios()).length, (await ratios()).at(-1)]).toEqual([100, 2]);
  expect(await newestRatios(database, { accountId: 'two' })).toEqual([
    { vendor: 'alpha', ratio: 100 },
    { vendor: 'beta', ratio: 0.5 },
  ]);
  expect(await newestRatios(database, {})).toEqual([{ vendor: 'alpha', ratio: 0.1 }]);
});
