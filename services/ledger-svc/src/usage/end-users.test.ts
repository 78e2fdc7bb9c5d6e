import { type BudgetQuery, mostEndUsers, type UsageRecord } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { budgetsSpent } from './budgets-spent.ts';
import { createLedger, type Ledger } from './keep-ledger.ts';
import { silentLedger } from './testing/silent-ledger.ts';
import { usageRecord } from './testing/usage-record.ts';
import { tidyEndUsers } from './tidy-end-users.ts';

describe.each(['postgres', 'embedded'] as const)('end users in the %s database', (name) => {
  let database: Database;
  let remove: () => Promise<void>;
  let ledger: Ledger;
  let accountId = '';
  let accounts = 0;

  const own = (changes: Partial<UsageRecord> = {}) => usageRecord({ accountId, ...changes });

  /** The sums of the account, without its id. */
  const sums = async (): Promise<unknown[]> => {
    const { rows } = await sql<object>`
      select end_user, to_char(at at time zone 'UTC', 'MM-DD HH24') as at, key_id, project_id, requests::int, tokens::int,
        trim_scale(cost)::text as cost, trim_scale(own_key_cost)::text as own_key_cost, failed::int, duration::text
      from end_user_hours where account_id = ${accountId} order by 1, 2, 3, 4`.execute(database.kysely);
    return rows;
  };
  const admitted = async (month: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from end_users
      where account_id = ${accountId} and month = ${month}::timestamptz`.execute(database.kysely);
    return rows[0]?.count ?? 0;
  };
  /** As many end users in November as leave this much room. */
  const leaveRoomFor = (room: number) =>
    sql`insert into end_users select ${accountId}, '2026-11-01T00:00:00Z', 'known ' || number
      from generate_series(1, ${mostEndUsers - room}::int) as number`.execute(database.kysely);

  beforeAll(async () => {
    const opened = await testDatabases[name]();
    database = opened.database;
    remove = opened.remove;
    await database.migrate();
    ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
    await ledger.start();
  });
  beforeEach(() => void (accountId = `account-${(accounts += 1)}`));
  afterAll(async () => {
    ledger.stop();
    await database.close();
    await remove();
  });

  test('the requests of each end user are added up by hour, key and project, once', async () => {
    const records = [
      own({ endUser: 'ann' }),
      own({ endUser: 'ann', cost: '0.002', durationMs: 20 }),
      own({ endUser: 'ann', cost: '0', endReason: 'error', status: 502 }),
      own({ endUser: 'ann', cost: '0', cached: true }),
      own({ endUser: 'ann', keyId: 'other', projectId: 'search', ownKey: true }),
      own({ endUser: 'ann', at: '2026-11-21T21:00:00.000Z', cost: null }),
      own({
        endUser: 'bob',
        endReason: 'refused',
        status: 402,
        cost: '0',
        tokens: { ...own().tokens, input: 0, output: 0 },
      }),
      own(),
    ];
    await ledger.write(records);
    await ledger.write(records);
    expect(await sums()).toEqual([
      { end_user: 'ann', at: '11-21 20', key_id: 'key', project_id: '', requests: 4, tokens: 40, cost: '0.003', own_key_cost: '0', failed: 1, duration: '[14:17]={1,NULL,NULL,1}' },
      { end_user: 'ann', at: '11-21 20', key_id: 'other', project_id: 'search', requests: 1, tokens: 10, cost: '0.001', own_key_cost: '0.001', failed: 0, duration: '[14:14]={1}' },
      { end_user: 'ann', at: '11-21 21', key_id: 'key', project_id: '', requests: 1, tokens: 10, cost: '0', own_key_cost: '0', failed: 0, duration: '[14:14]={1}' },
      { end_user: 'bob', at: '11-21 20', key_id: 'key', project_id: '', requests: 0, tokens: 0, cost: '0', own_key_cost: '0', failed: 0, duration: '{}' },
    ]); // prettier-ignore
  });

  test('hostile names are texts like others', async () => {
    const names = [`'; drop table x; --`, '{"a":"\\u0000"}', 'Zoë 日本 👩‍👧', '\\', '"', 'null'];
    await ledger.write(names.map((endUser) => own({ endUser })));
    const counted = (await sums()).map((row) => Reflect.get(Object(row), 'end_user'));
    expect(counted.toSorted()).toEqual(names.toSorted());
  });

  test('the last end user of the bound has sums of its own, and one beyond is counted with other end users', async () => {
    await leaveRoomFor(1);
    await ledger.write([own({ endUser: 'last' })]);
    await ledger.write([own({ endUser: 'beyond' }), own({ endUser: 'last' }), own({ endUser: 'further' })]);
    expect(
      (await sums()).map((row) => [Reflect.get(Object(row), 'end_user'), Reflect.get(Object(row), 'requests')]),
    ).toEqual([
      [' other', 2],
      ['last', 2],
    ]);
    expect(await admitted('2026-11-01T00:00:00Z')).toBe(mostEndUsers);
  });

  test('an end user beyond the bound has sums of its own in the next month, and in other accounts', async () => {
    await leaveRoomFor(0);
    const elsewhere = `${accountId}-other`;
    await ledger.write([
      own({ endUser: 'ann', at: '2026-12-01T00:00:00.000Z' }),
      own({ endUser: 'ann', accountId: elsewhere }),
    ]);
    expect(await admitted('2026-12-01T00:00:00Z')).toBe(1);
    const { rows } = await sql<{ end_user: string }>`
      select end_user from end_user_hours where account_id = ${elsewhere}`.execute(database.kysely);
    expect(rows).toEqual([{ end_user: 'ann' }]);
  });

  test('a budget of its own keeps an end user apart, and those that share one are counted together', async () => {
    await leaveRoomFor(0);
    await ledger.write([
      own({ endUser: 'paying', details: { endUserBudget: 'own' } }),
      own({ endUser: 'sharing', details: { endUserBudget: 'shared' } }),
      own({ details: { endUserBudget: 'none' } }),
    ]);
    expect((await sums()).map((row) => Reflect.get(Object(row), 'end_user'))).toEqual([' none', ' other', 'paying']);
  });

  test('failures and times are added up by hour, and moved to days with them', async () => {
    const hour = (at: string, changes: Partial<UsageRecord> = {}) => own({ endUser: 'ann', at, ...changes });
    await ledger.write([hour('2026-11-21T20:00:00.000Z')]);
    await ledger.write([
      hour('2026-11-21T20:30:00.000Z', { durationMs: 20 }),
      hour('2026-11-21T21:00:00.000Z', { endReason: 'error', status: 502 }),
      hour('2026-11-21T22:00:00.000Z', { durationMs: 2 }),
    ]);
    expect(
      (await sums()).map((row) => [Reflect.get(Object(row), 'failed'), Reflect.get(Object(row), 'duration')]),
    ).toEqual([
      [0, '[14:17]={1,NULL,NULL,1}'],
      [1, '{}'],
      [0, '[4:4]={1}'],
    ]);
    const now = new Date('2026-11-30T12:00:00.000Z');
    await tidyEndUsers(database.kysely, { now, oldest: new Date('2025-01-01T00:00:00.000Z') });
    const { rows } = await sql<object>`select requests::int, failed::int, duration::text from end_user_days
      where account_id = ${accountId}`.execute(database.kysely);
    expect(rows).toEqual([
      { requests: 4, failed: 1, duration: '[4:17]={1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,1}' },
    ]);
  });

  /** What the ledger reports of a budget: before the hour and since. */
  const spent = async (endUser: string, query: Partial<BudgetQuery> = {}) => {
    const budget = { scope: 'key', id: 'key', hour: '2026-11-21T20:00:00.000Z', ...query } as const;
    return (await budgetsSpent(database, [{ ...budget, endUser: { accountId, name: endUser } }]))[0];
  };

  test('budgets read what each end user has spent of a key or a project, without what accounts paid themselves', async () => {
    await ledger.write([
      own({ endUser: 'ann', at: '2026-10-31T23:59:59.000Z', cost: '9' }),
      own({ endUser: 'ann', at: '2026-11-01T00:00:00.000Z', cost: '1' }),
      own({ endUser: 'ann', cost: '2', projectId: 'search' }),
      own({ endUser: 'ann', cost: '4', keyId: 'other', projectId: 'search' }),
      own({ endUser: 'ann', cost: '8', ownKey: true }),
      own({ endUser: 'bob', cost: '16' }),
      own({ endUser: 'ann', accountId: `${accountId}-other`, cost: '32' }),
    ]);
    const hour = '2026-11-21T20:00:00.000Z';
    expect(await spent('ann', { from: '2026-11-01T00:00:00.000Z' })).toEqual({
      before: '1',
      hours: [{ hour, cost: '2' }],
    });
    expect(await spent('ann')).toEqual({ before: '10', hours: [{ hour, cost: '2' }] });
    expect(await spent('ann', { scope: 'project', id: 'search' })).toEqual({
      before: '0',
      hours: [{ hour, cost: '6' }],
    });
    expect(await spent('cy')).toEqual({ before: '0', hours: [] });
  });

  test('hours of past weeks are added up by day, and budgets count the same', async () => {
    const day = 86_400_000;
    const now = new Date('2026-11-30T12:00:00.000Z');
    await ledger.write([own({ endUser: 'ann' }), own({ endUser: 'ann', at: '2026-11-21T22:00:00.000Z' })]);
    await ledger.write([
      own({ endUser: 'ann', at: '2026-11-23T00:00:00.000Z' }),
      own({ endUser: 'ann', at: '2026-10-01T00:00:00.000Z' }),
    ]);
    const query = { hour: '2026-11-27T00:00:00.000Z' };
    expect(await spent('ann', query)).toEqual({ before: '0.004', hours: [] });
    await tidyEndUsers(database.kysely, { now, oldest: new Date(now.getTime() - 400 * day) });
    expect(await spent('ann', query)).toEqual({ before: '0.004', hours: [] });
    expect((await sums()).map((row) => Reflect.get(Object(row), 'at'))).toEqual(['11-23 00']);
    // Late records of a day that was added up.
    await ledger.write([own({ endUser: 'ann' })]);
    await tidyEndUsers(database.kysely, {
      now: new Date('2026-12-05T12:00:00.000Z'),
      oldest: new Date('2026-12-04T12:00:00.000Z'),
    });
    expect(await spent('ann', query)).toEqual({ before: '0.004', hours: [] });
    expect([await admitted('2026-10-01T00:00:00Z'), await admitted('2026-11-01T00:00:00Z')]).toEqual([0, 1]);
  });
});
