import type { UsageRecord } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { noSums } from '@tallyport/management/testing';
import { budgetsSpent } from './budgets-spent.ts';
import { missingUsage } from './missing-usage.ts';
import { exportUsage } from './export-usage.ts';
import { createLedger, type Ledger } from './keep-ledger.ts';
import { readTotal, readUsage, type UsageQuery } from './read-usage.ts';
import { tokensOf, usageRecord } from './testing/usage-record.ts';

const november: UsageQuery = {
  accountId: 'account',
  from: new Date('2026-11-01T00:00:00Z'),
  until: new Date('2026-12-01T00:00:00Z'),
};

const failedAttempt = { provider: 'alpha', status: 503, error: 'provider_unavailable', ms: 1 };

describe.each(['postgres', 'embedded'] as const)('the ledger on the %s database', (name) => {
  let database: Database;
  let remove: () => Promise<void>;
  let ledger: Ledger;
  let reported: object[] = [];
  let accounts = 0;
  let usageQuery: UsageQuery;

  const open = (retentionDays = 36_500): Ledger =>
    createLedger(database, {
      retentionDays,
      events: {
        usageArrived() {},
        usageWritten: ({ fresh, repeated }) => reported.push({ fresh, repeated }),
        usageSetAside: (count) => reported.push({ aside: count }),
        usageTakenUp: (count) => reported.push({ takenUp: count }),
        recordsDoubled() {},
        ledgerNotTidied: (error) => reported.push({ error }),
        monthsDropped: (tables) => reported.push({ tables }),
        usageNotWritten: (error) => reported.push({ error }),
      },
    });
  /** Records of an account that only this test uses. */
  const own = (changes: Partial<UsageRecord> = {}) => usageRecord({ accountId: usageQuery.accountId, ...changes });
  const refusedRecord = (changes: Partial<UsageRecord> = {}) =>
    own({ endReason: 'refused', status: 429, error: 'rate_limit_exceeded', attempts: [], tokens: tokensOf(), cost: '0', ...changes }); // prettier-ignore
  const fresh = () => {
    reported = [];
    accounts += 1;
    usageQuery = { ...november, accountId: `account-${accounts}` };
  };

  /** The entries set aside, and the reasons. */
  const aside = async (): Promise<string[][]> => {
    const rows = await database.kysely.selectFrom('usage_aside').selectAll().execute();
    return rows.map(({ entry, reason }) => [Buffer.from(entry).toString('latin1'), reason]).toSorted();
  };

  beforeAll(async () => {
    const opened = await testDatabases[name]();
    database = opened.database;
    remove = opened.remove;
    await database.migrate();
    ledger = open();
    await ledger.start();
  });
  beforeEach(() => database.kysely.deleteFrom('usage_aside').execute());
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    ledger.stop();
    await database.close();
    await remove();
  });

  test('names the records that are not written, by time and id', async () => {
    fresh();
    const [first, second, third] = [own(), own({ at: '2026-12-24T00:00:00.000Z' }), own()];
    await ledger.write([first, second]);
    const asked = [
      first,
      second,
      third,
      { ...first, at: '2026-11-30T23:59:59.999Z' },
      { ...third, at: '2031-01-01T00:00:00.000Z' },
    ];
    expect((await missingUsage(database, asked)).toSorted()).toEqual([first.id, third.id, third.id].toSorted());
    expect(await missingUsage(database, [])).toEqual([]);
  });

  test('sums everything written, exactly', async () => {
    fresh();
    const tokens = tokensOf({
      input: 1,
      cacheRead: 2,
      cacheWrite: 3,
      output: 4,
      reasoning: 5,
      imageIn: 6,
      imageOut: 7,
      audioIn: 8,
      audioOut: 9,
    });
    await ledger.write([
      own({
        tokens,
        images: 2,
        characters: 3,
        audioSeconds: 4,
        cost: '0.1',
        promptCacheSavings: '0.05',
        promptCacheSurcharge: '0.04',
        cacheableTokens: 7,
      }),
      own({
        cost: '0.2',
        cached: true,
        promptCacheSavings: '0.000000000000002',
        promptCacheSurcharge: '0.000000000000001',
        cacheableTokens: 8,
      }),
      own({ cost: null, flags: ['unpriced'], endReason: 'client_gone' }),
      own({ cost: '0', endReason: 'error', provider: undefined, error: 'all_providers_failed' }),
      own({
        cost: '0',
        provider: 'beta',
        attempts: [failedAttempt, { ...failedAttempt, provider: 'beta', error: 'none' }],
      }),
      own({ cost: '0.000000000000001', ownKey: true }),
      refusedRecord(),
      refusedRecord({ details: { unrecorded: 41 } }),
    ]);
    expect(await readTotal(database, usageQuery)).toEqual({
      ...noSums,
      requests: 6,
      failed: 1,
      abandoned: 1,
      rescued: 1,
      cached: 1,
      unpriced: 1,
      refused: 43,
      images: 2,
      characters: 3,
      audioSeconds: 4,
      tokens: tokensOf({ ...tokens, input: 36, output: 19 }),
      cost: '0.300000000000001',
      ownKeyCost: '0.000000000000001',
      promptCacheSavings: '0.050000000000002',
      promptCacheSurcharge: '0.040000000000001',
      cacheableTokens: 15,
    });
  });

  test('writes a repeated record once, within a batch and across batches', async () => {
    fresh();
    const record = own();
    await ledger.write([record, record]);
    await ledger.write([record, own()]);
    expect(await readTotal(database, usageQuery)).toMatchObject({ requests: 2, cost: '0.002' });
    expect(reported).toEqual([
      { fresh: 1, repeated: 1 },
      { fresh: 1, repeated: 1 },
    ]);
  });

  test('stores a record by its own time, in any month and by any replica', async () => {
    fresh();
    const times = [
      '2024-02-29T23:59:59.999Z',
      '2026-10-31T23:59:59.999Z',
      '2026-11-01T00:00:00.000Z',
      '2031-01-01T00:00:00Z',
    ];
    const records = times.map((at) => own({ at }));
    await ledger.write(records);
    await open().write(records);
    const days = await readUsage(database, { ...usageQuery, from: new Date(0), until: new Date('2100-01-01') }, 'day');
    expect(days.map(({ group, sums }) => [group, sums.requests])).toEqual([
      ['2024-02-29', 1],
      ['2026-10-31', 1],
      ['2026-11-01', 1],
      ['2031-01-01', 1],
    ]);
  });

  test('groups by model, provider and key, most expensive first', async () => {
    fresh();
    await ledger.write([
      own({ model: 'small', provider: 'alpha', keyId: 'one', cost: '1' }),
      own({ model: 'large', provider: 'beta', keyId: 'one', cost: '5' }),
      own({ model: 'large', provider: 'alpha', keyId: 'two', cost: '2' }),
    ]);
    const costs = async (grouping: Parameters<typeof readUsage>[2], keyId?: string) =>
      (await readUsage(database, { ...usageQuery, keyId }, grouping)).map(({ group, sums }) => [group, sums.cost]);
    expect(await costs('model')).toEqual([['large', '7'], ['small', '1']]); // prettier-ignore
    expect(await costs('provider')).toEqual([['beta', '5'], ['alpha', '3']]); // prettier-ignore
    expect(await costs('key')).toEqual([['one', '6'], ['two', '2']]); // prettier-ignore
    expect(await costs('model', 'two')).toEqual([['large', '2']]);
  });

  test('does not include other accounts', async () => {
    fresh();
    await ledger.write([own({ accountId: 'another-account' })]);
    expect(await readTotal(database, usageQuery)).toEqual(noSums);
  });

  test('sets aside a record the database will never accept, and writes the others', async () => {
    fresh();
    const wrong = own({ at: 'yesterday' });
    await ledger.write([own(), wrong, own()]);
    expect(await readTotal(database, usageQuery)).toMatchObject({ requests: 2 });
    expect(reported).toContainEqual({ aside: 1 });
    expect(await aside()).toEqual([[JSON.stringify(wrong), 'RangeError: Invalid time value']]);
  });

  test('keeps unreadable entries unchanged, once, and writes them at the next start if it can', async () => {
    fresh();
    const entries = ['{"id":"use_of_tomorrow","vrsn":2}', JSON.stringify(own()), '\0\xff'].map((text) =>
      Buffer.from(text, 'latin1'),
    );
    const unreadable = entries.map((entry) => ({ entry, error: new Error('An unknown entry.\0') }));
    await ledger.setAside(unreadable);
    await ledger.setAside(unreadable);
    expect(await aside()).toEqual(entries.map((entry) => [entry.toString('latin1'), 'Error: An unknown entry.']).toSorted()); // prettier-ignore
    reported = [];
    const next = open();
    await next.start();
    await expect.poll(() => reported).toEqual([{ fresh: 1, repeated: 0 }, { takenUp: 1 }]);
    next.stop();
    expect(await readTotal(database, usageQuery)).toMatchObject({ requests: 1 });
    expect((await aside()).map(([text]) => text)).toEqual(['\0\xff', '{"id":"use_of_tomorrow","vrsn":2}']);
  });

  test('keeps an entry that the database refuses again', async () => {
    fresh();
    const readable = [own({ at: '0000-01-01T00:00:00Z' }), own()].map((record) => JSON.stringify(record));
    await ledger.setAside(readable.map((text) => ({ entry: Buffer.from(text), error: 'an older version' })));
    const next = open();
    await next.start();
    await expect.poll(() => reported).toContainEqual({ takenUp: 1 });
    next.stop();
    expect(await aside()).toEqual([[readable[0], 'an older version']]);
  });

  test('contains each record once when several replicas write', async () => {
    fresh();
    const records = Array.from({ length: 60 }, (_, at) => own({ model: `model-${at % 5}`, keyId: `key-${at % 3}` }));
    const replicas = [open(), open(), open()];
    const insist = async (replica: Ledger, batch: readonly UsageRecord[]): Promise<void> =>
      replica.write(batch).catch(() => insist(replica, batch));
    await Promise.all(replicas.map((replica, at) => insist(replica, at === 1 ? records.toReversed() : records)));
    expect(await readTotal(database, usageQuery)).toMatchObject({ requests: 60, cost: '0.06' });
  });

  test('reports what was spent of a budget, before an hour and since, without what accounts paid themselves', async () => {
    fresh();
    const keyId = usageQuery.accountId;
    await ledger.write([
      own({ keyId, at: '2026-10-31T23:59:59Z', cost: '100' }),
      own({ keyId, at: '2026-11-01T00:00:00Z', cost: '1' }),
      own({ keyId, at: '2026-11-21T19:59:59Z', cost: '2' }),
      own({ keyId, at: '2026-11-21T20:00:00Z', cost: '4' }),
      own({ keyId, at: '2026-11-21T21:00:00Z', cost: '8' }),
      own({ keyId, at: '2026-11-21T21:00:00Z', cost: '1000', ownKey: true }),
      own({ keyId: 'other', at: '2026-11-21T21:00:00Z', cost: '16' }),
    ]);
    const hour = '2026-11-21T20:00:00.000Z';
    const [ofKey, ofAccount, ever] = await budgetsSpent(database, [
      { scope: 'key', id: keyId, from: '2026-11-01T00:00:00.000Z', hour },
      { scope: 'account', id: usageQuery.accountId, from: '2026-11-21T00:00:00.000Z', hour },
      { scope: 'key', id: keyId, hour },
    ]);
    const twenty = { hour, cost: '4' };
    const twentyOne = '2026-11-21T21:00:00.000Z';
    expect(ofKey).toEqual({ before: '3', hours: [twenty, { hour: twentyOne, cost: '8' }] });
    expect(ofAccount).toEqual({ before: '2', hours: [twenty, { hour: twentyOne, cost: '24' }] });
    expect(ever?.before).toBe('103');
  });

  test('reports what was spent of the budget of a project, also by a key that was moved', async () => {
    fresh();
    const projectId = `project-of-${usageQuery.accountId}`;
    await ledger.write([
      own({ projectId, at: '2026-10-31T23:59:59Z', cost: '100' }),
      own({ projectId, at: '2026-11-20T20:00:00Z', cost: '1' }),
      own({ projectId, at: '2026-11-21T20:00:00Z', cost: '2' }),
      own({ at: '2026-11-21T20:00:00Z', cost: '4' }),
      own({ projectId: 'another', at: '2026-11-21T20:00:00Z', cost: '8' }),
      own({ projectId, at: '2026-11-21T20:00:00Z', cost: '1000', ownKey: true }),
    ]);
    const hour = '2026-11-21T20:00:00.000Z';
    const from = '2026-11-01T00:00:00.000Z';
    expect(
      await budgetsSpent(database, [
        { scope: 'project', id: projectId, from, hour },
        { scope: 'account', id: usageQuery.accountId, from, hour },
      ]),
    ).toEqual([
      { before: '1', hours: [{ hour, cost: '2' }] },
      { before: '1', hours: [{ hour, cost: '14' }] },
    ]);
  });

  test('exports all rows, without formulas in cells', async () => {
    fresh();
    const records = Array.from({ length: 1_001 }, (_, at) =>
      own({
        at: new Date(Date.UTC(2026, 10, 20) + at).toISOString(),
        ...(at === 0 ? { requestId: '=1+1', flags: ['unpriced', 'adjusted'] } : { requestId: 'a,"b"' }),
      }),
    );
    for (let at = 0; at < records.length; at += 500) await ledger.write(records.slice(at, at + 500));
    let text = '';
    for await (const piece of exportUsage(database, usageQuery)) text += piece;
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1_002);
    expect(lines[0]).toMatch(/^at,id,request_id,key_id,project_id,end_user,/);
    expect(lines[1]).toMatch(
      /^2026-11-20T00:00:00\.000Z,use_\d+,'=1\+1,key,,,chat,model,model,,alpha,7,0,0,3,.*,0\.001,v1,,reported,unpriced adjusted,/,
    );
    expect(lines[2]).toContain(',"a,""b""",');
    expect(new Set(lines).size).toBe(1_002);
  });

  // The embedded database uses the clock of this process.
  test.runIf(name === 'postgres')('drops no partition if the clock of one replica is years ahead', async () => {
    fresh();
    await ledger.write([own()]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 365 * 86_400_000 });
    const ahead = open(4 * 365);
    await ahead.start();
    ahead.stop();
    expect(reported).toEqual([{ fresh: 1, repeated: 0 }]);
  });

  test('drops old partitions, keeps daily sums, and still accepts a record for such a month', async () => {
    fresh();
    await ledger.write([own({ at: '2021-03-15T00:00:00Z', cost: '9' })]);
    // More than one statement deletes.
    await sql`insert into provider_hours (at, provider, attempts, failed, rescued)
      select '2021-03-15T00:00:00Z', 'provider ' || n, 1, 0, 0 from generate_series(1, 2001) as n`.execute(
      database.kysely,
    );
    const short = open(90);
    await short.start();
    short.stop();
    expect(reported).toContainEqual({ tables: expect.arrayContaining(['usage_records_2021_03']) });
    const all = { ...usageQuery, from: new Date(0), until: new Date('2100-01-01') };
    expect(await readTotal(database, all)).toMatchObject({ requests: 1, cost: '9' });
    const { rows } = await sql`select 1 from usage_hours where account_id = ${usageQuery.accountId}`.execute(
      database.kysely,
    );
    expect(rows).toEqual([]);
    const hours = await sql`select 1 from provider_hours where at < '2022-01-01'`.execute(database.kysely);
    expect(hours.rows).toEqual([]);
    // This process still has the partition in its cache.
    await expect(ledger.write([own({ at: '2021-03-16T00:00:00Z', cost: '1' })])).rejects.toThrow();
    await ledger.write([own({ at: '2021-03-16T00:00:00Z', cost: '1' })]);
    expect(await readTotal(database, all)).toMatchObject({ requests: 2, cost: '10' });
  });
});
