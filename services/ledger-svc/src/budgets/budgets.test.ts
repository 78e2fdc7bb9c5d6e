import { type Budget, hashKey } from '@tallyport/contracts';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { usageRecord } from '../usage/testing/usage-record.ts';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { budgetEndpoints } from './budget-endpoints.ts';
import { readBudgets } from './read-budgets.ts';

describe.each(databasesWithSecrets)('budgets in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  const admin: ApiCaller = { accountId: 'acme', actor: 'key:k', role: 'admin', operator: false };

  beforeAll(async () => {
    opened = await open();
    const { kysely } = opened.tools.database;
    const budget = JSON.stringify({ amount: '100', period: 'month' });
    await kysely.insertInto('accounts').values({ id: 'acme', name: 'Acme', budget }).execute();
    await kysely.insertInto('users').values({ id: 'user_ann', email: 'ann@acme.test', password_hash: 'x' }).execute();
    await addKey('day', { amount: '0.3', period: 'day' });
    await addKey('week', { amount: '1', period: 'week' }, { user_id: 'user_ann' });
    await addKey('total', { amount: '50', period: 'total' });
    await addKey('nothing', { amount: '0', period: 'total' });
    await addKey('free', undefined);
    await addKey('revoked', { amount: '5', period: 'day' }, { revoked_at: new Date() });
    await addProject('search', { amount: '8', period: 'day' });
    await addProject('shop', { amount: '4', period: 'month' });
    await addProject('unlimited', undefined);
    const member = { project_id: 'project_shop', account_id: 'acme', user_id: 'user_ann', role: 'member' } as const;
    await kysely
      .insertInto('memberships')
      .values({ account_id: 'acme', user_id: 'user_ann', role: 'member' })
      .execute();
    await kysely.insertInto('project_members').values(member).execute();
    const ledger = createLedger(opened.tools.database, { retentionDays: 36_500, events: silentLedger });
    const spent = (at: string, key: string, cost: string, changes: object = {}) =>
      usageRecord({ at: `2026-11-${at}:00.000Z`, accountId: 'acme', keyId: `key_${key}`, cost, ...changes });
    await ledger.write([
      spent('19T23:59', 'day', '7'),
      spent('20T00:00', 'day', '0.1'),
      spent('20T23:59', 'day', '0.05', { model: 'other' }),
      spent('20T12:00', 'day', '9', { ownKey: true }),
      spent('15T23:59', 'week', '40'),
      spent('16T00:00', 'week', '2'),
      spent('01T00:00', 'total', '1.5'),
      spent('19T23:59', 'free', '3', { projectId: 'project_search' }),
      spent('20T00:00', 'free', '1', { projectId: 'project_search' }),
      spent('20T00:00', 'free', '0.5', { projectId: 'project_shop' }),
      spent('20T00:00', 'free', '9', { projectId: 'project_shop', ownKey: true }),
    ]);
  });
  afterAll(() => opened.close());

  let keys = 0;
  const addKey = (name: string, budget: Budget | undefined, row: object = {}) =>
    opened.tools.database.kysely
      .insertInto('api_keys')
      .values({
        id: `key_${name}`,
        account_id: 'acme',
        name,
        prefix: `sk-tp-${name}`,
        key_hash: hashKey(name),
        created_at: new Date(Date.UTC(2026, 0, (keys += 1))),
        ...(budget && { budget: JSON.stringify(budget) }),
        ...row,
      })
      .execute();

  let projects = 0;
  const addProject = (name: string, budget: Budget | undefined) =>
    opened.tools.database.kysely
      .insertInto('projects')
      .values({
        id: `project_${name}`,
        account_id: 'acme',
        name,
        created_at: new Date(Date.UTC(2026, 0, (projects += 1))),
        ...(budget && { budget: JSON.stringify(budget) }),
      })
      .execute();

  const now = new Date('2026-11-20T23:59:59.999Z');
  const read = (selection: object) =>
    readBudgets(opened.tools.database, { accountId: 'acme', scope: 'key', limit: 10, ...selection }, now);
  const list = async (
    query: object,
    caller = admin,
  ): Promise<any> /* oxlint-disable-line typescript/no-explicit-any -- tests compare it with what they expect */ => {
    const [endpoint] = budgetEndpoints(opened.tools);
    return endpoint?.run(query, caller, { address: '', sessionToken: undefined, setSession() {} });
  };
  const names = ({ budgets }: { budgets: { name: string }[] }) => budgets.map(({ name }) => name);

  it('have what was spent in their current period, without what the account paid for itself', async () => {
    const key = (name: string, budget: object) => ({ scope: 'key', id: `key_${name}`, name, ...budget });
    expect(await read({})).toEqual([
      key('day', { amount: '0.3', period: 'day', spent: '0.15', left: '0.15', spentPercent: 50, resetsAt: '2026-11-21T00:00:00.000Z' }),
      key('week', { amount: '1', period: 'week', spent: '2', left: '0', spentPercent: 200, resetsAt: '2026-11-23T00:00:00.000Z' }),
      key('total', { amount: '50', period: 'total', spent: '1.5', left: '48.5', spentPercent: 3 }),
      key('nothing', { amount: '0', period: 'total', spent: '0', left: '0', spentPercent: 100 }),
    ]); // prettier-ignore
    expect(await read({ scope: 'account' })).toEqual([
      { scope: 'account', id: 'acme', name: 'Acme', amount: '100', period: 'month', spent: '55.15', left: '44.85', spentPercent: 55.15, resetsAt: '2026-12-01T00:00:00.000Z' },
    ]); // prettier-ignore
  });

  it('are those of projects, too', async () => {
    const project = (name: string, budget: object) => ({ scope: 'project', id: `project_${name}`, name, ...budget });
    expect(await read({ scope: 'project' })).toEqual([
      project('search', { amount: '8', period: 'day', spent: '1', left: '7', spentPercent: 12.5, resetsAt: '2026-11-21T00:00:00.000Z' }),
      project('shop', { amount: '4', period: 'month', spent: '0.5', left: '3.5', spentPercent: 12.5, resetsAt: '2026-12-01T00:00:00.000Z' }),
    ]); // prettier-ignore
  });

  it('are found by the part that was spent, at the part and not below', async () => {
    expect((await read({ spentPercent: 50 })).map(({ name }) => name)).toEqual(['day', 'week', 'nothing']);
    expect((await read({ spentPercent: 51 })).map(({ name }) => name)).toEqual(['week', 'nothing']);
  });

  it('are listed in pages: the account, then projects, then keys', async () => {
    expect(names(await list({}))).toEqual(['Acme', 'search', 'shop', 'day', 'week', 'total', 'nothing']);
    const pages = [];
    let cursor: string | undefined;
    do {
      const { nextCursor, ...page } = await list({ limit: 2, cursor });
      pages.push(names(page));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([
      ['Acme', 'search', 'shop'],
      ['day', 'week'],
      ['total', 'nothing'],
    ]);
  });

  it('are listed in pages that have projects and keys', async () => {
    const first = await list({ limit: 1 });
    expect(names(first)).toEqual(['Acme', 'search']);
    const second = await list({ limit: 4, cursor: first.nextCursor });
    expect(names(second)).toEqual(['shop', 'day', 'week', 'total']);
    expect(names(await list({ limit: 1, cursor: second.nextCursor }))).toEqual(['nothing']);
  });

  it('are found by name or by the beginning of the key', async () => {
    expect(names(await list({ search: 'EE' }))).toEqual(['week']);
    expect(names(await list({ search: 'sk-tp-t' }))).toEqual(['total']);
    expect(names(await list({ search: 'S' }))).toEqual(['search', 'shop']);
    expect(names(await list({ search: '%' }))).toEqual([]);
  });

  it('are those of the account, of own projects and of own keys for members', async () => {
    const member: ApiCaller = { ...admin, role: 'member', userId: 'user_ann' };
    expect(names(await list({}, member))).toEqual(['Acme', 'shop', 'week']);
  });

  it('are refused for a cursor that is none', async () => {
    await expect(list({ cursor: 'key_day' })).rejects.toMatchObject({ code: 'invalid_parameters', param: 'cursor' });
  });
});
