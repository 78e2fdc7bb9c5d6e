import type { Database } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureDefaultAccount } from '@tallyport/management-server';
import { createKey } from '../../keys/create-key.ts';
import { removeAbsent } from './remove-absent.ts';

let close: () => Promise<void>;
let database: Database;
beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await ensureDefaultAccount(database);
});
afterAll(() => close());

const hourMs = 3600_000;

/** A member who signed in this long ago, at one or several issuers. */
async function member(userId: string, provider: string | null, hoursAgo: number[]): Promise<void> {
  const { kysely } = database;
  await kysely
    .insertInto('users')
    .values({ id: userId, email: `${userId}@acme.example`, password_hash: 'none' })
    .execute();
  const row = { account_id: 'default', user_id: userId, role: 'member' as const, identity_provider: provider };
  await kysely.insertInto('memberships').values(row).execute();
  for (const [index, hours] of hoursAgo.entries()) {
    const last_sign_in_at = new Date(Date.now() - hours * hourMs);
    const identity = { issuer: `https://${index}.example`, subject: userId, user_id: userId, last_sign_in_at };
    await kysely.insertInto('user_identities').values(identity).execute();
  }
  await createKey(database, { accountId: 'default', actor: 'operator', userId, byAdmin: true }, { name: userId });
}

test('members of the provider who have not signed in for its days lose membership and keys', async () => {
  await member('present', 'acme', [8 * 24 - 1]);
  await member('absent', 'acme', [8 * 24 + 1]);
  await member('moved', 'acme', [8 * 24 + 1, 1]);
  await member('invited', null, [8 * 24 + 1]);
  await member('of_another', 'other', [8 * 24 + 1]);
  expect(await removeAbsent(database, { id: 'acme', removeAfterDays: undefined })).toEqual([]);
  expect(await removeAbsent(database, { id: 'acme', removeAfterDays: 8 })).toHaveLength(1);
  const { kysely } = database;
  const members = await kysely.selectFrom('memberships').select('user_id').orderBy('user_id').execute();
  expect(members.map(({ user_id }) => user_id)).toEqual(['invited', 'moved', 'of_another', 'present']);
  const ended = await kysely.selectFrom('api_keys').select('user_id').where('revoked_at', 'is not', null).execute();
  expect(ended).toEqual([{ user_id: 'absent' }]);
  const audit = kysely.selectFrom('audit_log').select(['actor', 'subject']).where('action', '=', 'member.removed');
  expect(await audit.execute()).toEqual([{ actor: 'identity:acme', subject: 'absent' }]);
});
