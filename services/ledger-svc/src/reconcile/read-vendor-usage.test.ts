import type { UsageRecord, VendorUsageQuery } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { testDatabases } from '@tallyport/database/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger, type Ledger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { tokensOf, usageRecord } from '../usage/testing/usage-record.ts';
import { readVendorUsage } from './read-vendor-usage.ts';

describe.each(['postgres', 'embedded'] as const)('the usage of a vendor in the %s database', (name) => {
  let database: Database;
  let remove: () => Promise<void>;
  let ledger: Ledger;
  let providers = 0;

  beforeAll(async () => {
    const opened = await testDatabases[name]();
    ({ database, remove } = opened);
    await database.migrate();
    ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
    await ledger.start();
  });
  afterAll(async () => {
    ledger.stop();
    await database.close();
    await remove();
  });

  /** Writes records of a provider that only this test uses, and reads its usage of one day. */
  async function usageOf(records: readonly Partial<UsageRecord>[], query: Partial<VendorUsageQuery> = {}) {
    providers += 1;
    const provider = `provider-${providers}`;
    const attempt = { provider, status: 200, error: 'none', ms: 10 };
    await ledger.write(
      records.map((changes) =>
        usageRecord({ at: '2026-11-21T12:00:00.000Z', provider, attempts: [attempt], ...changes }),
      ),
    );
    return readVendorUsage(database, { provider, from: '2026-11-21', to: '2026-11-21', ...query });
  }

  const use = (changes: object) => ({
    day: '2026-11-21',
    model: 'model',
    billedClass: 'input',
    keyId: '',
    cost: '0.0004',
    quantity: 7,
    estimated: '0',
    unpriced: 0,
    fromDayBefore: '0',
    toDayAfter: '0',
    ...changes,
  });
  const day = (changes: object) => ({
    day: '2026-11-21',
    model: 'model',
    requests: 1,
    failed: 0,
    unpriced: 0,
    tiers: [],
    ...changes,
  });

  test('has each day, model and class with its cost and units', async () => {
    expect(await usageOf([{}, {}, { model: 'other', costs: {}, cost: '0', tokens: tokensOf() }])).toEqual({
      uses: [use({ cost: '0.0008', quantity: 14 }), use({ billedClass: 'output', cost: '0.0012', quantity: 6 })],
      days: [day({ requests: 2 }), day({ model: 'other' })],
    });
  });

  test('has what is estimated, without a price or cached', async () => {
    const input = { tokens: tokensOf({ input: 7 }), costs: { input: '0.0004' }, cost: '0.0004' };
    const found = await usageOf([
      { ...input, source: 'estimated' },
      { ...input, cost: null, flags: ['unpriced'] },
      { ...input, cached: true, cost: '0', costs: {} },
    ]);
    expect(found).toEqual({
      uses: [use({ quantity: 14, estimated: '0.0004', unpriced: 7 })],
      days: [day({ requests: 2, unpriced: 1 })],
    });
  });

  test('has what a vendor may have counted on another day, and the days beside the period', async () => {
    const input = { tokens: tokensOf({ input: 7 }), costs: { input: '0.0004' }, cost: '0.0004' };
    const { uses } = await usageOf([
      // Began on the day before.
      { ...input, at: '2026-11-21T01:00:00.000Z', durationMs: 3_600_001 },
      // Began at midnight, but six minutes ago.
      { ...input, at: '2026-11-21T00:06:00.000Z', durationMs: 1_000 },
      { ...input, at: '2026-11-21T00:04:59.000Z', durationMs: 1_000 },
      { ...input, at: '2026-11-21T23:54:59.000Z' },
      { ...input, at: '2026-11-21T23:55:00.000Z' },
      { ...input, at: '2026-11-20T23:59:59.999Z' },
      { ...input, at: '2026-11-22T00:00:00.000Z' },
      { ...input, at: '2026-11-19T23:59:59.999Z' },
      { ...input, at: '2026-11-23T00:00:00.000Z' },
    ]);
    expect(uses).toEqual([
      use({ day: '2026-11-20', toDayAfter: '0.0004' }),
      use({ cost: '0.002', quantity: 35, fromDayBefore: '0.0008', toDayAfter: '0.0004' }),
      use({ day: '2026-11-22', fromDayBefore: '0.0004' }),
    ]);
  });

  test('counts failed calls that the vendor may have counted, also of requests that another provider answered', async () => {
    const provider = `provider-${providers + 1}`;
    const failed = (error: string, status: number | null = null) => ({ provider, status, error, ms: 10 });
    const answered = { provider: 'beta', status: 200, error: 'none', ms: 10 };
    const { days } = await usageOf([
      { attempts: [failed('provider_timeout'), failed('provider_truncated', 200), answered], provider: 'beta' },
      { attempts: [failed('provider_rate_limited', 429), answered], provider: 'beta' },
      { attempts: [failed('provider_timeout')], provider: undefined, source: 'none', cost: '0', costs: {} },
      // Its usage is in the ledger.
      { attempts: [failed('provider_truncated', 200)], source: 'estimated' },
    ]);
    expect(days).toEqual([day({ failed: 3 })]);
  });

  test('keeps what accounts pay themselves apart, by their key', async () => {
    const provider = `provider-${providers + 1}`;
    const attempts = [{ provider, status: 200, error: 'none', ms: 10, ownKey: true as const, ownKeyId: 'key_1' }];
    const records = [{}, { ownKey: true, attempts }, { ownKey: true, attempts, accountId: 'another' }];
    expect((await usageOf(records)).days).toEqual([day({})]);
    const own = await readVendorUsage(database, {
      provider,
      from: '2026-11-21',
      to: '2026-11-21',
      accountId: 'account',
    });
    expect(own).toEqual({
      uses: [use({ keyId: 'key_1' }), use({ billedClass: 'output', cost: '0.0006', quantity: 3, keyId: 'key_1' })],
      days: [day({})],
    });
  });

  test('refuses a period with more rows than one answer has', async () => {
    const query = { provider: `provider-${providers + 1}`, from: '2026-11-20', to: '2026-11-21' };
    const { uses } = await usageOf([{ at: '2026-11-20T12:00:00.000Z' }, {}]);
    expect(await readVendorUsage(database, query, { most: 4 })).toMatchObject({ uses });
    await expect(readVendorUsage(database, query, { most: 3 })).rejects.toThrow('Choose fewer days.');
  });

  test('reads no further day after its signal', async () => {
    const query = { provider: 'any', from: '2026-11-21', to: '2026-11-21' };
    const ended = readVendorUsage(database, query, { signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  test('refuses days whose records are deleted, and too many days', async () => {
    const query = { provider: `provider-${providers + 1}`, from: '2026-11-21', to: '2026-11-21' };
    await usageOf([{}, {}]);
    await sql`delete from usage_records where provider = ${query.provider} and id in
      (select id from usage_records where provider = ${query.provider} limit 1)`.execute(database.kysely);
    await expect(readVendorUsage(database, query)).rejects.toThrow('Single records of some of these days');
    await expect(usageOf([], { from: '2026-08-21', to: '2026-11-20' })).resolves.toEqual({ uses: [], days: [] });
    await expect(usageOf([], { from: '2026-08-20', to: '2026-11-20' })).rejects.toThrow('at most 92 days apart');
    await expect(usageOf([], { from: '2026-11-22', to: '2026-11-21' })).rejects.toThrow('from must not be after to');
  });
});
