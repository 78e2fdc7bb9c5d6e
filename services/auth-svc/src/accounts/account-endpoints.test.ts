import type { Database } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnnounce } from '../bus/announce.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { readAccount } from './accounts.ts';

let close: () => Promise<void>;
let database: Database;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await database.kysely.insertInto('accounts').values({ id: 'tenant', name: 'Tenant' }).execute();
});
afterAll(() => close());

const ignore = () => {};
const notices = { keyRevoked: ignore, accountChanged: ignore, mcpServersChanged: ignore };
const events = {
  guardWebhookChanged: ignore,
  keyCreated: ignore,
  keyRevoked: ignore,
  mcpServerChanged: ignore,
  providerKeyChanged: ignore,
  routeChanged: ignore,
};

function change(changes: object, operator = false) {
  const endpoints = accountEndpoints({
    database,
    announce: createAnnounce(notices, events),
    publicUrl: () => '',
    contentLog: { checkMayKeep: () => {} },
  });
  const endpoint = endpoints.find(({ operation }) => operation.method === 'PATCH' && operation.path === '/account');
  const caller = { actor: 'user:user_1', userId: 'user_1', accountId: 'tenant', role: 'owner', operator } as const;
  return endpoint?.run(changes, caller, { address: '', sessionToken: undefined, setSession: () => {} });
}

test('an owner cannot take the name of another account, or of one that the gateway document names', async () => {
  const denied = { code: 'permission_denied', param: 'name' };
  await expect(change({ name: 'Search', cacheTtlSeconds: 60 })).rejects.toMatchObject(denied);
  const account = await readAccount(database, 'tenant');
  expect([account.name, account.cacheTtlSeconds]).toEqual(['Tenant', undefined]);
});

test('an owner changes other settings, also with the present name as forms send it', async () => {
  expect(await change({ name: 'Tenant', cacheTtlSeconds: 60 })).toMatchObject({ name: 'Tenant', cacheTtlSeconds: 60 });
});

test('an operator renames an account', async () => {
  expect(await change({ name: 'Research' }, true)).toMatchObject({ name: 'Research' });
});
