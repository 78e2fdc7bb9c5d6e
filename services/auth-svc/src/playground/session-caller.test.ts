import type { BrowserSession } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { openMigrated } from '@tallyport/database/testing';
import { csrfTokenOf, ensureDefaultAccount, hashToken, makeToken } from '@tallyport/management-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endMembership } from '../accounts/members.ts';
import { callerOfSession } from '../http/api/identify.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { rotateKey } from '../keys/rotate-key.ts';
import { findSession } from '../sessions/find-session.ts';
import { createSessionCaller, type SessionCaller } from './session-caller.ts';

const origin = 'https://gateway.example';
const id = 'playground_default_usr_ada';
const token = makeToken();
const own = { origin, secFetchSite: 'same-origin', csrfToken: csrfTokenOf(token) };

let close: () => Promise<void>;
let database: Database;
let sessionCaller: SessionCaller;

beforeAll(async () => {
  ({ database, close } = await openMigrated());
  await ensureDefaultAccount(database);
  const { kysely } = database;
  await kysely.insertInto('users').values({ id: 'usr_ada', email: 'ada@example.com', password_hash: 'x' }).execute();
  const session = {
    id: 's1',
    token_hash: hashToken(token),
    user_id: 'usr_ada',
    expires_at: new Date(Date.now() + 60_000),
  };
  await kysely.insertInto('sessions').values(session).execute();
  sessionCaller = createSessionCaller({
    database,
    sessions: { find: (text) => findSession(kysely, text) },
    callerOf: (signedIn, account) => callerOfSession(database, { signedIn, account }),
  });
});
beforeEach(async () => {
  await database.kysely.deleteFrom('api_keys').execute();
  await join();
});
afterAll(() => close());

const join = () =>
  database.kysely
    .insertInto('memberships')
    .values({ account_id: 'default', user_id: 'usr_ada', role: 'member' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
const ask = (form?: BrowserSession['form']) =>
  sessionCaller({
    cookie: `__Host-tallyport=${token}`,
    account: 'default',
    publicOrigin: origin,
    ...(form && { form }),
  });
const keys = () =>
  database.kysely.selectFrom('api_keys').select(['id', 'user_id', 'name', 'revoked_at', 'key_hash']).execute();

test('reading needs no key and makes none', async () => {
  expect(await ask()).toEqual({ caller: { principal: { accountId: 'default', keyId: 'session' }, limits: {} } });
  expect(await keys()).toEqual([]);
});

test('a form gets the key of the person, which is made once, even by many at the same time', async () => {
  const callers = await Promise.all(Array.from({ length: 5 }, () => ask(own)));
  expect(callers.map(({ caller }) => caller.principal.keyId)).toEqual(Array(5).fill(id));
  expect(await keys()).toMatchObject([
    { id, user_id: 'usr_ada', name: 'Playground of ada@example.com', revoked_at: null },
  ]);
  const audited = database.kysely.selectFrom('audit_log').select('id').where('subject', '=', id);
  expect(await audited.execute()).toHaveLength(1);
});

test.each([
  ['another site', { ...own, origin: 'https://evil.example', secFetchSite: 'cross-site' }],
  ['another origin, without Sec-Fetch-Site', { ...own, origin: 'https://evil.example', secFetchSite: undefined }],
  ['no token', { origin, secFetchSite: 'same-origin' }],
  ['the token of another session', { ...own, csrfToken: csrfTokenOf(makeToken()) }],
])('a form with %s is refused', async (_name, form) => {
  await expect(ask(form)).rejects.toMatchObject({ code: 'permission_denied' });
  expect(await keys()).toEqual([]);
});

test('without a session, or for a stranger to the account, nothing is allowed', async () => {
  await expect(sessionCaller({ cookie: '', publicOrigin: origin })).rejects.toMatchObject({ code: 'invalid_api_key' });
  await database.kysely.insertInto('accounts').values({ id: 'other', name: 'Other' }).execute();
  const other = { cookie: `__Host-tallyport=${token}`, account: 'other', publicOrigin: origin, form: own };
  await expect(sessionCaller(other)).rejects.toMatchObject({ code: 'not_found' });
});

test('settings of the key apply, and its expiry turns it off', async () => {
  await ask(own);
  const { kysely } = database;
  const limits = JSON.stringify({ requestsPerMinute: { chat: 3 } });
  await kysely
    .updateTable('api_keys')
    .set({ limits, allowed_models: JSON.stringify(['m']) })
    .execute();
  expect((await ask(own)).caller).toMatchObject({
    principal: { keyId: id, allowedModels: ['m'] },
    limits: { key: { requestsPerMinute: { chat: 3 } } },
  });
  await kysely
    .updateTable('api_keys')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .execute();
  await expect(ask(own)).rejects.toMatchObject({ code: 'permission_denied' });
});

test('it is neither rotated nor revoked', async () => {
  await ask(own);
  const actor = 'operator';
  await expect(revokeKey(database, { id, actor })).rejects.toMatchObject({ code: 'conflict' });
  const rotation = { id, actor, overlapMinutes: 0 } as const;
  await expect(rotateKey(database, { accountId: 'default' }, rotation)).rejects.toMatchObject({ code: 'conflict' });
});

test.each([true, false])('a person who left and is back has it again (keys kept: %s)', async (keepKeys) => {
  await ask(own);
  const change = { accountId: 'default', userId: 'usr_ada', actor: 'operator' } as const;
  await database.kysely
    .transaction()
    .execute((transaction) => endMembership(transaction, change, { role: 'member', keepKeys }));
  // The session of a person without an account ends; this one stays to be asked with.
  const session = {
    id: 's1',
    token_hash: hashToken(token),
    user_id: 'usr_ada',
    expires_at: new Date(Date.now() + 60_000),
  };
  await database.kysely.insertInto('sessions').values(session).execute();
  await expect(ask(own)).rejects.toMatchObject({ code: 'not_found' });
  await join();
  await ask(own);
  expect(await keys()).toMatchObject([{ id, user_id: 'usr_ada', revoked_at: null }]);
});
