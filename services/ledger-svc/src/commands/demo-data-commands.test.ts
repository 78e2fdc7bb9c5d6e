import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, preparedDirectory, type TestDatabase } from '@tallyport/database/testing';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createLedger } from '../usage/keep-ledger.ts';
import { silentLedger } from '../usage/testing/silent-ledger.ts';
import { usageRecord } from '../usage/testing/usage-record.ts';
import { ledgerSocket } from '../module.ts';
import { openLedger } from '../testing/open-ledger.ts';
import { ensureFirstOwner } from '../../../auth-svc/src/enrolment/first-owner.ts';
import { createPasswords } from '../../../auth-svc/src/users/passwords.ts';
import { demoDataCommand } from './demo-data-commands.ts';
import type { CommandPlaces } from '@tallyport/management-server';
import { openLedgerForCommand } from './open-administration.ts';

const demoData =
  (places: CommandPlaces) =>
  async (...words: string[]): Promise<string> => {
    const administration = await openLedgerForCommand('demo-data', places);
    try {
      return (await demoDataCommand(words)?.(administration)) ?? 'no command';
    } finally {
      await administration.close();
    }
  };

it.each([
  [['add']],
  [['remove', 'all']],
  [['remove', '--seed', '2']],
  [['--seed', 'x']],
  [['--days', '3']],
  [['--new-account']],
])('rejects the words %j', (words) => {
  expect(demoDataCommand(words)).toBe(undefined);
});

describe('npm run demo-data', () => {
  let place: TestDatabase;
  let database: Database;
  let run: ReturnType<typeof demoData>;
  beforeAll(async () => {
    place = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    database = await openDatabase({ url: place.url });
    await database.migrate();
    run = demoData({ DATABASE_URL: place.url, DATA_DIR: '/nowhere' });
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });

  const use = (accountId: string) =>
    createLedger(database, { retentionDays: 90, events: silentLedger }).write([
      usageRecord({
        id: `use_of_${accountId}`,
        at: new Date(Date.now() - 9 * 86_400_000).toISOString(),
        accountId,
        model: 'claude-sonnet-4-6',
        attempts: [
          { provider: 'anthropic', status: 529, error: 'provider_overloaded', ms: 80 },
          { provider: 'google-vertex', status: 200, error: 'none', ms: 900 },
        ],
        provider: 'google-vertex',
      }),
    ]);
  const count = async (table: string): Promise<number> => {
    const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(database.kysely);
    return Number(rows[0]?.count);
  };
  const history = async () => {
    const hours = await sql`select * from offer_hours order by at, provider, model`.execute(database.kysely);
    const times = await sql`select * from offer_latencies order by at, provider, model, bucket`.execute(
      database.kysely,
    );
    return [hours.rows, times.rows];
  };

  test('fills the first account, once, and removes everything', async () => {
    await use('another');
    const before = await history();
    const [, requests = ''] =
      /^(\d+) requests of the last 30 days.*: open \/dashboard\/default\n/.exec(await run()) ?? [];
    expect(await count('usage_records')).toBe(Number(requests) + 1);
    const { rows } = await sql<{ days: string; refused: string }>`select count(distinct at) as days,
      sum(refused) > 0 as refused from usage_days where account_id = 'default'`.execute(database.kysely);
    expect(rows).toEqual([{ days: '30', refused: true }]);
    expect(await count('users')).toBe(4);
    expect(await history()).not.toEqual(before);

    await expect(run()).rejects.toThrow('There is demo data already. Remove it first');

    expect(await run('remove')).toBe(`Removed ${requests} requests, their keys and members.\n`);
    expect(await history()).toEqual(before);
    const left = ['usage_records', 'usage_days', 'usage_hours', 'users', 'memberships', 'api_keys'];
    expect(await Promise.all(left.map(count))).toEqual([1, 1, 1, 0, 0, 0]);
    expect(await run('remove')).toBe('There was no demo data.\n');
  });

  test('does not touch an account with usage of its own, and fills a new one, which owners can open', async () => {
    await use('default');
    const { kysely } = database;
    const members = async () => {
      const rows = kysely.selectFrom('memberships').innerJoin('users', 'users.id', 'user_id').select('email');
      return (await rows.where('account_id', '=', 'account_demo').orderBy('email').execute()).map(({ email }) => email);
    };
    const invented = ['ada', 'alan', 'grace', 'katherine'].map((name) => `${name}@demo.example`);
    expect(await run()).toContain(': open /dashboard/account_demo\n');
    expect(await members()).toEqual(invented);
    const owner = { email: 'owner@example.com', password: 'correct horse battery' };
    await ensureFirstOwner(database, createPasswords({ cost: { log2N: 10, r: 8, p: 1 } }), owner);
    expect(await members()).toEqual([...invented, owner.email]);
    await run('remove');
    await run();
    expect(await members()).toEqual([...invented, owner.email]);
    await run('remove');
    expect(await kysely.selectFrom('accounts').select('id').execute()).toEqual([{ id: 'default' }]);

    await run();
    await use('account_demo');
    await run('remove');
    expect(await kysely.selectFrom('accounts').select('id').orderBy('id').execute()).toEqual([
      { id: 'account_demo' },
      { id: 'default' },
    ]);
    expect(await count('usage_records')).toBe(3);
  });
});

it('fills an installation while it runs', async () => {
  const opened = await openLedger(await preparedDirectory());
  const socket = ledgerSocket(opened.kit, opened);
  await socket.start?.();
  const run = demoData({ DATA_DIR: opened.directory });
  expect(await run('--seed', '7')).toContain(': open /dashboard/default\n');
  expect(await run('remove')).toMatch(/^Removed \d{4} requests/);
  await socket.stop?.(1_000);
  await opened.remove();
});
