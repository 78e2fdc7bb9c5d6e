import type { Database } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { keyIdOfClient } from '@tallyport/management';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDefaultAccount } from '@tallyport/management-server';
import { findTokenCaller } from './find-token-caller.ts';

const publicUrl = 'https://gateway.example.com';
const user = 'user_0123456789abcdef';

let close: () => Promise<void>;
let database: Database;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await ensureDefaultAccount(database);
  const { kysely } = database;
  await kysely.insertInto('users').values({ id: user, email: 'ada@example.com', password_hash: 'none' }).execute();
  await kysely.insertInto('memberships').values({ account_id: 'default', user_id: user, role: 'member' }).execute();
});
afterAll(() => close());

const keyIdOf = async (model: string, userId: string | null): Promise<string | undefined> => {
  const id = `hash of ${model}`;
  const payload = JSON.stringify({ aud: `${publicUrl}/mcp`, scope: 'mcp:tools', clientId: 'client_1' });
  const expires_at = new Date(Date.now() + 60_000);
  await database.kysely
    .insertInto('oauth_records')
    .values({ model, id, account_id: 'default', user_id: userId, payload, expires_at })
    .execute();
  return (await findTokenCaller(database, { tokenHash: id, publicUrl }))?.principal.keyId;
};

test('a token of a user has a key id of the client and the user', async () => {
  expect(await keyIdOf('AccessToken', user)).toBe(keyIdOfClient('client_1', user));
});

test('a token of a client itself has a key id of the client', async () => {
  expect(await keyIdOf('ClientCredentials', null)).toBe(keyIdOfClient('client_1'));
});
