import { type Database, sql } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimPart, closeParts, lockPart, mostPartsOfAccount, renewLease } from './parts.ts';

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  const accounts = ['default', 'other'].map((id) => ({ id, name: id }));
  await database.kysely.insertInto('accounts').values(accounts).execute();
});
afterEach(() => database.kysely.deleteFrom('batches').execute());
afterAll(() => close());

interface Made {
  accountId?: string;
  state?: 'in_progress' | 'cancelling';
  parts?: number;
}

async function make(id: string, { accountId = 'default', state = 'in_progress', parts = 1 }: Made = {}): Promise<void> {
  const { kysely } = database;
  await kysely
    .insertInto('batches')
    .values({
      id,
      account_id: accountId,
      key_id: 'key',
      api: 'batches',
      endpoint: '/v1/chat/completions',
      headers: '{}',
      state,
      input_file_id: 'file',
      expires_at: sql<Date>`now() + interval '1 day'`,
    })
    .execute();
  const rows = Array.from({ length: parts }, (_, number) => ({
    batch_id: id,
    number,
    start_byte: 0,
    end_byte: 1,
    first_line: 1,
    last_line: 1,
    lines: 1,
  }));
  await kysely.insertInto('batch_parts').values(rows).execute();
}

const claim = async (accounts: readonly string[] = []) => {
  const part = await claimPart(database.kysely, 'replica', accounts);
  return part && [part.batch.id, part.number];
};

test('of a batch that is ending, only the part is taken of which a vendor has lines', async () => {
  await make('ending', { state: 'cancelling', parts: 3 });
  const vendor = { provider: 'acme', model: 'm', key: 'k', endpoint: '/chat', lines: '[1]' };
  for (const [part, state] of [
    [1, 'over'],
    [2, 'open'],
  ] as const)
    await database.kysely
      .insertInto('vendor_batches')
      .values({ ...vendor, id: `v${part}`, batch_id: 'ending', part, state })
      .execute();
  expect([await claim(), await claim()]).toEqual([['ending', 2], undefined]);
});

test('an account with fewer parts here is next, and none has all of them', async () => {
  await make('many', { parts: 20 });
  await make('few', { accountId: 'other' });
  expect(await claim(['other', 'default', 'default'])).toEqual(['few', 0]);
  const full = Array.from({ length: mostPartsOfAccount }, () => 'default');
  expect(await claim(full.slice(1))).toEqual(['many', 0]);
  expect(await claim(full)).toBeUndefined();
});

test('no replica has a part of a batch whose results are written', async () => {
  await make('ending', { parts: 2 });
  const part = await claimPart(database.kysely, 'replica', []);
  if (part === undefined) throw new Error('There is no part.');
  expect([await renewLease(database.kysely, part), await lockPart(database.kysely, part)]).toEqual(['held', true]);
  await closeParts(database.kysely, 'ending');
  expect([await renewLease(database.kysely, part), await lockPart(database.kysely, part)]).toEqual(['lost', false]);
  expect(await claim()).toBeUndefined();
});

test('a part is locked without a deadlock with the deletion of its batch', async () => {
  await make('deleted');
  const part = await claimPart(database.kysely, 'replica', []);
  if (part === undefined) throw new Error('There is no part.');
  const deleted = await database.kysely.transaction().execute(async (transaction) => {
    expect(await lockPart(transaction, part)).toBe(true);
    const deleting = database.kysely.deleteFrom('batches').executeTakeFirst();
    const waits = sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waits.execute(database.kysely)).rows[0]?.n).toBe(1);
    await transaction.updateTable('batches').set({ failed: 1 }).where('id', '=', 'deleted').execute();
    return { deleting };
  });
  expect((await deleted.deleting).numDeletedRows).toBe(1n);
});
