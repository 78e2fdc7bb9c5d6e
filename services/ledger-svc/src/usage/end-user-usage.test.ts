import type { UsageRecord } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { type ApiCaller, endpointsByName } from '@tallyport/management-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { analyticsEndpoints } from './analytics-endpoints.ts';
import { createLedger } from './keep-ledger.ts';
import { silentLedger } from './testing/silent-ledger.ts';
import { usageRecord } from './testing/usage-record.ts';

const callerOf = (accountId: string, role: ApiCaller['role'] = 'admin'): ApiCaller => ({
  accountId,
  actor: 'user:ann',
  userId: 'ann',
  role,
  operator: false,
});
const context = { address: '', sessionToken: undefined, setSession() {} };

type AccountName = 'alone' | 'mixed';

/** What an end user did: two days with streams, failures, answers from the cache, own keys, projects and refusals. */
const doneIn = (account: AccountName): readonly Partial<UsageRecord>[] => [
  { at: '2026-11-20T10:05:00.000Z', model: 'small', durationMs: 100, cost: '1' },
  { at: '2026-11-20T10:55:00.000Z', model: 'large', provider: 'beta', durationMs: 800, cost: '2', ownKey: true },
  { at: '2026-11-20T11:00:00.000Z', model: 'small', durationMs: 900, stream: true, firstByteMs: 50, cost: '4' },
  { at: '2026-11-20T11:00:00.000Z', model: 'small', durationMs: 9, stream: true, firstByteMs: 9, cost: '4' },
  {
    at: '2026-11-21T10:00:00.000Z',
    model: 'small',
    keyId: 'key_b',
    projectId: `search_${account}`,
    durationMs: 0,
    cost: '8',
  },
  {
    at: '2026-11-21T10:00:00.000Z',
    model: 'small',
    projectId: `chat_${account}`,
    endReason: 'error',
    error: 'upstream_timeout',
  },
  { at: '2026-11-21T12:00:00.000Z', model: 'large', endReason: 'client_gone', error: 'client_closed_request' },
  { at: '2026-11-21T12:00:00.000Z', model: 'small', cached: true, durationMs: 1, cost: '0', provider: undefined },
  { at: '2026-11-21T23:59:59.999Z', status: 429, endReason: 'error', error: 'rate_limit_exceeded', attempts: [] },
];

/** Projects are of one account. */
const inMixed = (value: unknown): object => JSON.parse(JSON.stringify(value).replaceAll('alone', 'mixed'));

const days = { from: '2026-11-20', to: '2026-11-21' };
const hours = { from: '2026-11-20T10:00:00Z', to: '2026-11-21T12:00:00Z' };
const week = { from: '2026-11-16', to: '2026-11-22' };

describe.each(databasesWithSecrets)('the usage of an end user in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  beforeAll(async () => {
    opened = await open();
    const { database } = opened.tools;
    const ids = ['alone', 'mixed', 'busy'];
    await database.kysely
      .insertInto('accounts')
      .values(ids.map((id) => ({ id, name: id })))
      .execute();
    const ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
    await ledger.write([
      ...doneIn('alone').map((changes) => usageRecord({ ...changes, accountId: 'alone' })),
      ...doneIn('mixed').map((changes) => usageRecord({ ...changes, accountId: 'mixed', endUser: 'ann' })),
      ...doneIn('mixed').map((changes) => usageRecord({ ...changes, accountId: 'mixed', endUser: 'bob', cost: '3' })),
      ...doneIn('mixed').map((changes) => usageRecord({ ...changes, accountId: 'mixed', cost: '5' })),
      usageRecord({ id: 'oldest', accountId: 'busy', endUser: 'ann', at: '2026-11-20T00:00:00.000Z', cost: '1' }),
    ]);
  });
  afterAll(() => opened.close());

  const run = (name: 'readUsageSeries' | 'readLatency' | 'readErrors', input: object, caller: ApiCaller) => {
    const endpoint = endpointsByName(analyticsEndpoints(opened.tools)).get(name);
    return Promise.resolve(endpoint?.run(endpoint.operation.input.parse(input), caller, context));
  };

  const dimensions = ['model', 'provider', 'key', 'project'] as const;
  test.each([
    ...(['hour', 'day', 'period'] as const).map((interval) => ['readUsageSeries', { ...days, interval }] as const),
    ...dimensions.map((by) => ['readUsageSeries', { ...week, interval: 'period', by, top: 1 }] as const),
    ...dimensions.map((by) => ['readUsageSeries', { ...hours, interval: 'hour', by, top: 20 }] as const),
    ['readUsageSeries', { ...days, by: 'model', then_by: 'provider' }],
    ['readUsageSeries', { ...days, by: 'model', only: 'small' }],
    ['readUsageSeries', { ...days, project: 'none', model: 'small' }],
    ['readUsageSeries', { ...days, project: 'search_alone' }],
    ['readUsageSeries', { ...hours, interval: 'period', key: 'key_b' }],
    ...[...dimensions, 'hour', 'day'].map((by) => ['readLatency', { ...days, by }] as const),
    ['readLatency', { ...week, by: 'model', interval: 'hour', before_from: '2026-11-20', before_to: '2026-11-20' }],
    ['readLatency', { ...hours, by: 'hour', provider: 'beta' }],
    ...[...dimensions, 'hour', 'day'].map((by) => ['readErrors', { ...days, by }] as const),
    ['readErrors', { ...hours, by: 'model', model: 'small', key: 'key' }],
  ] as const)('%s of %j is that of an account without others', async (name, input) => {
    const alone = await run(name, input, callerOf('alone'));
    const ofAnn = await run(name, { ...inMixed(input), end_user: ' ann\u0000' }, callerOf('mixed'));
    expect(ofAnn).toEqual(inMixed(alone));
    // The test is about something.
    expect(JSON.stringify(alone).length).toBeGreaterThan(60);
  });

  test('is of the newest 10,000 requests, and says since when', async () => {
    const { kysely } = opened.tools.database;
    const add = (first: number, last: number) =>
      sql`insert into usage_records select copy.* from usage_records as record
        cross join generate_series(${first}::int, ${last}::int) as number
        cross join lateral jsonb_populate_record(record, jsonb_build_object('id', 'more' || number,
          'at', record.at + number * interval '1 second')) as copy
        where record.id = 'oldest'`.execute(kysely);
    const read = async () => {
      const input = { ...days, interval: 'period', end_user: 'ann' };
      const { points, since } = (await run('readUsageSeries', input, callerOf('busy'))) as {
        points: { requests: number }[];
        since?: string;
      };
      return [points[0]?.requests, since];
    };
    await add(1, 9_999);
    expect(await read()).toEqual([10_000, undefined]);
    await add(10_000, 10_000);
    expect(await read()).toEqual([10_000, '2026-11-20T00:00:01.000Z']);
  });

  test('is not for members, and has nothing of other accounts', async () => {
    for (const name of ['readUsageSeries', 'readLatency', 'readErrors'] as const)
      await expect(run(name, { ...days, end_user: 'ann' }, callerOf('mixed', 'member'))).rejects.toMatchObject({
        code: 'permission_denied',
        param: 'end_user',
      });
    const { points } = (await run('readUsageSeries', { ...days, end_user: 'bob' }, callerOf('busy'))) as {
      points: object[];
    };
    expect(points).toEqual([]);
  });
});
