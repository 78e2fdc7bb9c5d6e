import { type Budget, hashKey, type UsageRecord } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { type ApiCaller, endpointsByName } from '@tallyport/management-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { requestEndpoints } from '../requests/request-endpoints.ts';
import { budgetsSpent } from '../usage/budgets-spent.ts';
import { createLedger, type Ledger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { usageRecord } from '../usage/testing/usage-record.ts';
import { endUserEndpoints } from './end-user-endpoints.ts';
import { findEndUsers } from './find-end-users.ts';
import { listEndUsers } from './list-end-users.ts';

describe.each(databasesWithSecrets)('end users in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  let ledger: Ledger;
  const owner: ApiCaller = { accountId: 'acme', actor: 'user:ann', role: 'owner', operator: false };
  const now = new Date('2026-11-21T23:00:00.000Z');
  const november = { from: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') };
  const context = { address: '', sessionToken: undefined, setSession() {} };
  const spent = (endUser: string | undefined, cost: string, changes: Partial<UsageRecord> = {}) =>
    usageRecord({ accountId: 'acme', keyId: 'key_shop', endUser, cost, ...changes });

  beforeAll(async () => {
    opened = await open();
    const { kysely } = opened.tools.database;
    await kysely.insertInto('accounts').values({ id: 'acme', name: 'Acme' }).execute();
    await kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
    const budget = (amount: string, period: Budget['period']) => ({
      end_user_budget: JSON.stringify({ amount, period }),
    });
    const key = { account_id: 'acme', prefix: 'sk-tp', key_hash: hashKey('shop') };
    await kysely
      .insertInto('api_keys')
      .values({ ...key, id: 'key_shop', name: 'shop', ...budget('10', 'month') })
      .execute();
    await kysely
      .insertInto('projects')
      .values({ id: 'project_search', account_id: 'acme', name: 'search', ...budget('1', 'day') })
      .execute();
    ledger = createLedger(opened.tools.database, { retentionDays: 36_500, events: silentLedger });
    await ledger.write([
      spent('ann', '2', { at: '2026-11-20T10:00:00.000Z' }),
      spent('ann', '0.75', { projectId: 'project_search' }),
      spent('ann', '4', { ownKey: true }),
      spent('bob', '3'),
      spent('cy', '1', { keyId: 'key_free' }),
      spent('dee', '9', { details: { endUserBudget: 'shared' } }),
      spent(undefined, '5', { details: { endUserBudget: 'none' } }),
      spent(undefined, '5'),
      spent('ann', '50', { at: '2026-10-31T23:59:59.999Z' }),
      spent('ann', '60', { accountId: 'other' }),
    ]);
  });
  afterAll(() => opened.close());

  const list = (changes: object = {}) =>
    listEndUsers(
      opened.tools.database,
      { accountId: 'acme', ...november, ...changes },
      { limit: 100, now, hasLatency: true },
    );
  /** Of requests that all took 13 ms. */
  const sums = (requests: number, cost: string, ownKeyCost = '0') => ({
    requests,
    failed: 0,
    p95Ms: 13.3,
    tokens: requests * 10,
    cost,
    ownKeyCost,
  });
  const amounts = (...of: Parameters<typeof sums>) => {
    const { p95Ms: _, ...rest } = sums(...of);
    return rest;
  };

  it('are listed by cost, each with the budget that has the least left', async () => {
    expect(await list()).toEqual({
      endUsers: [
        {
          endUser: 'ann',
          ...sums(3, '6.75', '4'),
          budget: { scope: 'project', id: 'project_search', name: 'search', amount: '1', period: 'day', spent: '0.75', left: '0.25', resetsAt: '2026-11-22T00:00:00.000Z' },
        },
        {
          endUser: 'bob',
          ...sums(1, '3'),
          budget: { scope: 'key', id: 'key_shop', name: 'shop', amount: '10', period: 'month', spent: '3', left: '7', resetsAt: '2026-12-01T00:00:00.000Z' },
        },
        { endUser: 'cy', ...sums(1, '1') },
      ],
      others: sums(1, '9'),
    }); // prettier-ignore
    const ofProject = await list({ projectId: 'project_search' });
    expect(ofProject.endUsers.map(({ endUser, cost }) => [endUser, cost])).toEqual([['ann', '0.75']]);
    expect((await list({ keyId: 'key_free' })).endUsers.map(({ endUser }) => endUser)).toEqual(['cy']);
  });

  it('have their days, where these are asked for', async () => {
    const { database } = opened.tools;
    const byDay = await listEndUsers(database, { accountId: 'acme', ...november }, { limit: 2, now, byDay: true });
    expect(byDay.endUsers.map(({ endUser, days }) => [endUser, days])).toEqual([
      [
        'ann',
        [
          { day: '2026-11-20', ...amounts(1, '2') },
          { day: '2026-11-21', ...amounts(2, '4.75', '4') },
        ],
      ],
      ['bob', [{ day: '2026-11-21', ...amounts(1, '3') }]],
    ]);
    expect(byDay.endUsers.every(({ p95Ms }) => p95Ms === undefined)).toBe(true);
    expect((await list()).endUsers.every(({ days }) => days === undefined)).toBe(true);
  });

  it('have their requests, by their names as clients send them', async () => {
    const requests = endpointsByName(requestEndpoints(opened.tools)).get('listRequests');
    const input = { end_user: ' ann\u0000', from: november.from.toISOString(), limit: 50 };
    expect(await requests?.run(input, owner, context)).toEqual({
      requests: Array.from({ length: 3 }, () => expect.objectContaining({ endUser: 'ann' })),
    });
  });

  it('are erased from records and sums, by an owner, and the audit log has no name', async () => {
    const erase = endUserEndpoints(opened.tools).find(({ operation }) => operation.method === 'POST');
    const failure = { at: '2026-11-02T00:00:00.000Z', endReason: 'error' } as const;
    await ledger.write([spent('eve', '0.5'), spent('eve', '0.25', failure)]);
    expect(await erase?.run({ endUser: ' eve ' }, owner, context)).toEqual({ records: 2 });
    expect(await erase?.run({ endUser: 'bob' }, owner, context)).toEqual({ records: 1 });
    const { kysely } = opened.tools.database;
    const named = await sql<{ end_user: string }>`
      select end_user from usage_records where account_id = 'acme' and end_user is not null
      union select end_user from end_user_hours where account_id = 'acme'
      union select end_user from end_user_days where account_id = 'acme'
      union select end_user from end_users where account_id = 'acme' order by 1`.execute(kysely);
    expect(named.rows.map(({ end_user }) => end_user)).toEqual([' none', ' other', '(erased)', 'ann', 'cy', 'dee']);
    const erased = (await list()).endUsers.find(({ endUser }) => endUser === '(erased)');
    expect(erased).toMatchObject({ ...sums(3, '3.75'), failed: 1 });
    const audit = await kysely.selectFrom('audit_log').selectAll().where('action', '=', 'end_user.erased').execute();
    expect(audit.map(({ subject, detail }) => [subject, detail])).toEqual([
      ['acme', { records: 2 }],
      ['acme', { records: 1 }],
    ]);
    const budget = { scope: 'key', id: 'key_shop', hour: '2026-11-21T20:00:00.000Z' } as const;
    const query = { ...budget, endUser: { accountId: 'acme', name: 'bob' } };
    expect(await budgetsSpent(opened.tools.database, [query])).toEqual([{ before: '0', hours: [] }]);
  });

  it('are found by a part of their names in this month and the last one, and by the exact name in all records', async () => {
    const names = ['Maria', 'maria-2', 'm%ria', 'mar', 'x'.repeat(128)];
    await ledger.write([
      ...names.map((name) => spent(name, '1')),
      spent('mario', '1', { at: '2026-10-01T00:00:00.000Z' }),
      spent('marla', '1', { at: '2026-09-30T23:59:59.999Z' }),
      spent('marie', '1', { accountId: 'other' }),
    ]);
    const find = (search: string, limit = 10) =>
      findEndUsers(opened.tools.database, { accountId: 'acme', search, limit, now });
    expect(await find('mar')).toEqual(['mar', 'Maria', 'mario', 'maria-2']);
    expect(await find('MARIA', 1)).toEqual(['Maria']);
    expect(await find(' m%r\u0000')).toEqual(['m%ria']);
    expect(await find('marla')).toEqual(['marla']);
    for (const [search, found] of [
      ['marie', []],
      [' ', []],
      ['x'.repeat(128), ['x'.repeat(128)]],
      ['x'.repeat(129), []],
    ] as const)
      expect(await find(search)).toEqual(found);
  });

  it('have usage by day and in total, with the total of other days', async () => {
    const one = endUserEndpoints(opened.tools).find(({ operation }) => operation.path === '/end-users/usage');
    const run = (changes: object = {}) =>
      one?.run({ end_user: ' zoe ', from: '2026-11-01', to: '2026-11-30', ...changes }, owner, context);
    await ledger.write([
      spent('zoe', '1', { at: '2026-10-31T23:59:59.999Z', durationMs: 2 }),
      spent('zoe', '1', { at: '2026-11-02T00:00:00.000Z', durationMs: 700 }),
      spent('zoe', '0', { at: '2026-11-02T00:00:00.000Z', endReason: 'error', error: 'upstream_error' }),
      spent('zoe', '2', { at: '2026-11-20T00:00:00.000Z' }),
      spent('zoe', '9', { at: '2026-11-20T00:00:00.000Z', accountId: 'other', durationMs: 90_000 }),
    ]);
    const november = {
      days: [
        { day: '2026-11-02', ...sums(2, '1'), failed: 1, p95Ms: 718.3 },
        { day: '2026-11-20', ...sums(1, '2') },
      ],
      total: { ...sums(3, '3'), failed: 1, p95Ms: 712.6 },
    };
    expect(await run()).toEqual(november);
    expect(await run({ before_from: '2026-10-01', before_to: '2026-10-31' })).toEqual({
      ...november,
      before: { ...sums(1, '1'), p95Ms: 2.4 },
    });
    expect(await run({ end_user: 'unknown' })).toEqual({ days: [], total: amounts(0, '0') });
    await expect(run({ before_from: '2026-10-02', before_to: '2026-10-01' })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
  });
});
