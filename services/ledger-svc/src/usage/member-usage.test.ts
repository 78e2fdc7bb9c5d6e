import { hashKey, type UsageRecord } from '@tallyport/contracts';
import { keyIdOfClient } from '@tallyport/management';
import { type ApiCaller, endpointsByName } from '@tallyport/management-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databasesWithSecrets, type OpenedWithSecrets } from '../../../auth-svc/src/testing/databases-with-secrets.ts';
import { createLedger } from './keep-ledger.ts';
import { silentLedger } from './testing/silent-ledger.ts';
import { usageRecord } from './testing/usage-record.ts';
import { usageEndpoints } from './usage-endpoints.ts';

const [ann, bob] = ['user_0a', 'user_0b'];
const owner: ApiCaller = { accountId: 'acme', actor: 'user:ann', role: 'owner', operator: false };
const context = { address: '', sessionToken: undefined, setSession() {} };

describe.each(databasesWithSecrets)('the usage of members in %s', (_name, open) => {
  let opened: OpenedWithSecrets;
  beforeAll(async () => {
    opened = await open();
    const { database } = opened.tools;
    const { kysely } = database;
    for (const id of ['acme', 'other']) await kysely.insertInto('accounts').values({ id, name: id }).execute();
    for (const id of [ann, bob])
      await kysely
        .insertInto('users')
        .values({ id, email: `${id}@example.com`, password_hash: '' })
        .execute();
    const key = (id: string, user_id: string | null, account_id = 'acme') => ({
      id,
      user_id,
      account_id,
      name: id,
      prefix: 'sk-tp',
      key_hash: hashKey(id),
    });
    await kysely
      .insertInto('api_keys')
      .values([key('first', ann), key('second', ann), key('third', bob), key('free', null), key('far', ann, 'other')])
      .execute();
    const used = (keyId: string, cost: string, changes: Partial<UsageRecord> = {}) =>
      usageRecord({ accountId: 'acme', keyId, cost, ...changes });
    const ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });
    await ledger.write([
      used('first', '1'),
      used('second', '2', { at: '2026-11-20T10:00:00.000Z' }),
      used('first', '40', { at: '2026-10-31T23:59:59.999Z' }),
      used(keyIdOfClient('client_1', ann), '0.5'),
      used(keyIdOfClient('client_1'), '7'),
      used('third', '4'),
      used('free', '8'),
      used('far', '90', { accountId: 'other' }),
    ]);
  });
  afterAll(() => opened.close());

  const read = async (members: string, caller = owner) => {
    const endpoint = endpointsByName(usageEndpoints(opened.tools)).get('readMemberUsage');
    const input = { from: '2026-11-01', to: '2026-11-30', members };
    const answer = (await endpoint?.run(input, caller, context)) as {
      members: { userId: string; cost: string; requests: number }[];
    };
    return answer.members.map(({ userId, cost, requests }) => [userId, cost, requests]);
  };

  test('is that of the keys that they created and of clients that act for them', async () => {
    expect(await read(`${bob},${ann},user_0c`)).toEqual([
      [ann, '3.5', 3],
      [bob, '4', 1],
    ]);
    expect(await read(bob)).toEqual([[bob, '4', 1]]);
    expect(await read(ann, { ...owner, accountId: 'other' })).toEqual([[ann, '90', 1]]);
    expect(await read(`', 'x`)).toEqual([]);
  });

  test('is read for at most a hundred', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `user_${at}`).join(',');
    expect(await read(ids(100))).toEqual([]);
    await expect(read(ids(101))).rejects.toMatchObject({ code: 'invalid_parameters', param: 'members' });
  });
});
