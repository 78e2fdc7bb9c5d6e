import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Catalogue,
  GatewayError,
  hashKey,
  type ProviderKeyTestResult,
  type UsageRecord,
} from '@tallyport/contracts';
import type { ProviderKeyMode } from '@tallyport/database';
import type { ProviderKeyRecord } from '@tallyport/management';
import type { ApiCaller } from '@tallyport/management-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authenticate } from '../keys/authenticate.ts';
import { createKey, operator } from '../keys/create-key.ts';
import { usageRecord } from '../../../ledger-svc/src/usage/testing/usage-record.ts';
import { databasesWithSecrets, type OpenedWithSecrets } from '../testing/databases-with-secrets.ts';
import { maxProviderKeys } from './create-provider-key.ts';
import { loadProviderKeys } from './load-provider-keys.ts';
import { providerKeyEndpoints } from './provider-key-endpoints.ts';
import { createProviderKeyUses } from '../../../ledger-svc/src/usage/record-provider-key-uses.ts';
import type { ProviderKeyTools } from './tools.ts';

const provider = 'openai';
const custom = { baseUrl: 'https://own.example/v1', keyVariable: 'OWN_ENDPOINT' };
const catalogue: Catalogue = {
  version: '1',
  models: [],
  providers: [
    { ...custom, id: 'own-endpoint' },
    { ...custom, id: 'own-open', needsKey: false },
  ],
};

const notCalled = () => Promise.reject(new Error('No provider is called here.'));

describe.each(databasesWithSecrets)('provider keys in %s', (_name, open) => {
  let tools: ProviderKeyTools;
  let opened: OpenedWithSecrets;
  let accounts = 0;
  let caller: ApiCaller;
  let notices: unknown[] = [];
  const calls: unknown[] = [];
  let answer: ProviderKeyTestResult;
  let ask: (name: string, input: unknown) => Promise<unknown>;

  beforeAll(async () => {
    opened = await open();
    tools = opened.tools;
    const endpoints = providerKeyEndpoints({
      ...tools,
      callWithKey: async (test) => {
        calls.push(test);
        return answer;
      },
      catalogue: async () => catalogue,
      announce: { providerKeyChanged: (...change) => void notices.push(change) },
    });
    ask = async (name, input) => {
      const found = endpoints.find(({ operation: { method, path } }) => `${method} ${path}` === name);
      const request = { address: '', sessionToken: undefined, setSession() {} };
      return found?.run(input, caller, request);
    };
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    accounts += 1;
    const id = `account-${accounts}`;
    await tools.database.kysely.insertInto('accounts').values({ id, name: id }).execute();
    caller = { accountId: id, actor: 'key:k', role: 'admin', operator: false };
    notices = [];
  });

  const create = (input: object = {}) =>
    ask('POST /provider-keys', { provider, label: 'ours', key: 'sk-plain-text-of-a-key-9876', ...input }) as Promise<{
      id: string;
    }>;
  const load = () => loadProviderKeys(tools, caller.accountId);
  const list = () => ask('GET /provider-keys', {});

  it('are stored, listed by their last four characters, loaded by dispatch, changed and deleted', async () => {
    const created = await create();
    const record = {
      id: expect.stringMatching(/^provider_key_[0-9a-f]{32}$/),
      provider,
      position: 1,
      label: 'ours',
      lastFour: '9876',
      enabled: true,
      state: 'enabled',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    };
    expect(created).toEqual(record);
    const { id } = created;
    expect(await list()).toEqual({ providerKeys: [record] });
    expect(await load()).toEqual([{ id, provider, key: 'sk-plain-text-of-a-key-9876' }]);

    const path = 'PATCH /provider-keys/{id}';
    expect(await ask(path, { id, label: 'mine', key: 'sk-another-text-of-a-key-1234' })).toEqual({
      ...record,
      label: 'mine',
      lastFour: '1234',
    });
    expect(await load()).toEqual([{ id, provider, key: 'sk-another-text-of-a-key-1234' }]);
    expect(await ask(path, { id, enabled: false })).toMatchObject({ enabled: false, label: 'mine', lastFour: '1234' });
    expect(await load()).toEqual([]);

    expect(await ask('DELETE /provider-keys/{id}', { id })).toMatchObject({ id });
    expect(await list()).toEqual({ providerKeys: [] });
    const left = tools.database.kysely.selectFrom('secrets').select('id').where('account_id', '=', caller.accountId);
    expect(await left.execute()).toEqual([]);
    expect(notices).toEqual(
      ['created', 'changed', 'changed', 'deleted'].map((change) => [change, { id, accountId: caller.accountId }]),
    );

    const audit = await tools.database.kysely
      .selectFrom('audit_log')
      .select(['actor', 'action', 'subject', 'detail'])
      .where('account_id', '=', caller.accountId)
      .orderBy('id')
      .execute();
    const entry = { actor: 'key:k', subject: id };
    expect(audit).toEqual([
      { ...entry, action: 'provider_key.created', detail: { provider, label: 'ours' } },
      { ...entry, action: 'provider_key.changed', detail: { label: 'mine', replaced: true } },
      { ...entry, action: 'provider_key.changed', detail: { enabled: false } },
      { ...entry, action: 'provider_key.deleted', detail: { provider, label: 'mine' } },
    ]);
  });

  it('are tried in the order that the account sets, provider by provider', async () => {
    const ids: string[] = [];
    for (const label of ['a', 'b', 'c']) ids.push((await create({ label })).id);
    const [a = '', b = '', c = ''] = ids;
    const other = (await create({ label: 'x', provider: 'own-endpoint' })).id;
    const names = new Map([
      [a, 'a'],
      [b, 'b'],
      [c, 'c'],
      [other, 'x'],
    ]);
    const loaded = async () =>
      (await load()).flatMap((key) => (key.provider === provider ? names.get(key.id) : [])).join('');
    const listed = async () => {
      const { providerKeys } = (await list()) as { providerKeys: ProviderKeyRecord[] };
      return providerKeys.map(({ label, position }) => `${label}${position}`).join(' ');
    };
    const move = (id: string, position: number) => ask('PATCH /provider-keys/{id}', { id, position });
    expect([await loaded(), await listed()]).toEqual(['abc', 'a1 b2 c3 x1']);
    expect(await move(c, 1)).toMatchObject({ id: c, position: 1 });
    expect([await loaded(), await listed()]).toEqual(['cab', 'c1 a2 b3 x1']);
    expect(await move(c, 2)).toMatchObject({ position: 2 });
    expect(await move(a, 1_000)).toMatchObject({ position: 3 });
    expect([await loaded(), await listed()]).toEqual(['cba', 'c1 b2 a3 x1']);
    names.set((await create({ label: 'd' })).id, 'd');
    expect(await loaded()).toBe('cbad');
    await ask('PATCH /provider-keys/{id}', { id: c, enabled: false });
    expect([await loaded(), await listed()]).toEqual(['bad', 'c1 b2 a3 d4 x1']);
    await ask('DELETE /provider-keys/{id}', { id: b });
    expect([await loaded(), await listed()]).toEqual(['ad', 'c1 a2 d3 x1']);
    expect(notices.at(2)).toEqual(['created', { id: c, accountId: caller.accountId }]);
    expect(notices.at(4)).toEqual(['changed', { id: c, accountId: caller.accountId }]);
    for (const position of [0, 1_001, 1.5, Number.NaN])
      await expect(move(a, position)).rejects.toMatchObject({ code: 'invalid_parameters' });
    const audit = tools.database.kysely.selectFrom('audit_log').select('detail').where('subject', '=', a);
    expect(await audit.execute()).toContainEqual({ detail: { position: 1_000 } });
    caller = { ...caller, accountId: 'default' };
    await expect(move(a, 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('have one order, even if several are moved at the same time', async () => {
    const ids: string[] = [];
    for (const label of ['a', 'b', 'c', 'd']) ids.push((await create({ label })).id);
    await Promise.all(ids.map((id, at) => ask('PATCH /provider-keys/{id}', { id, position: (at % 2) + 1 })));
    const { providerKeys } = (await list()) as { providerKeys: ProviderKeyRecord[] };
    expect(providerKeys.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect((await load()).map(({ id }) => id)).toEqual(providerKeys.map(({ id }) => id));
    const stored = tools.database.kysely.selectFrom('provider_keys').select('position').orderBy('position');
    const rows = await stored.where('account_id', '=', caller.accountId).execute();
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  it('have a last use and a last error, and are refused until they work again or are replaced', async () => {
    const { id } = await create();
    const record = (at: string, ...errors: string[]) =>
      usageRecord({
        at: `2026-11-20T${at}:00.000Z`,
        attempts: errors.map((error) => ({ provider, status: 200, error, ms: 1, ownKey: true, ownKeyId: id })),
      });
    const use = async (...records: UsageRecord[]) => {
      const uses = createProviderKeyUses(tools.database, (error) => expect(error).toBeUndefined());
      uses.note(records);
      await uses.stop();
      const { providerKeys } = (await list()) as { providerKeys: ProviderKeyRecord[] };
      return providerKeys.map(({ state, lastUsedAt, lastError }) => [
        state,
        lastUsedAt?.slice(11, 16),
        lastError?.type,
      ])[0];
    };
    expect(await use(record('10:00', 'none'), record('09:00', 'own_key_refused'))).toEqual([
      'enabled',
      '10:00',
      'own_key_refused',
    ]);
    expect(await use(record('11:00', 'own_key_billing'))).toEqual(['refused', '11:00', 'own_key_billing']);
    // Neither an older record nor a fault of the provider changes it.
    expect(await use(record('08:00', 'own_key_refused'), record('11:30', 'provider_timeout'))).toEqual([
      'refused',
      '11:30',
      'own_key_billing',
    ]);
    expect(await use(record('12:00', 'none'))).toEqual(['enabled', '12:00', 'own_key_billing']);
    expect(await use(record('13:00', 'own_key_refused'))).toEqual(['refused', '13:00', 'own_key_refused']);
    expect(await ask('PATCH /provider-keys/{id}', { id, key: 'sk-another-text-of-a-key-1234' })).toMatchObject({
      state: 'enabled',
    });
    expect(await use()).toEqual(['enabled', undefined, undefined]);
  });

  it('are tested, also while they are disabled, and the result is recorded', async () => {
    const { id } = await create();
    await ask('PATCH /provider-keys/{id}', { id, enabled: false });
    answer = { ok: false, problem: 'refused', message: 'No.', model: 'm', durationMs: 1 };
    expect(await ask('POST /provider-keys/{id}/test', { id })).toEqual(answer);
    expect(calls.at(-1)).toEqual({ provider, key: 'sk-plain-text-of-a-key-9876' });
    const lastError = { type: 'own_key_refused', at: expect.any(String) };
    expect(await list()).toMatchObject({ providerKeys: [{ state: 'disabled', lastError }] });
    expect(await ask('PATCH /provider-keys/{id}', { id, enabled: true })).toMatchObject({ state: 'refused' });
    answer = { ok: true, message: 'Yes.', model: 'm', durationMs: 1 };
    await ask('POST /provider-keys/{id}/test', { id });
    expect(await list()).toMatchObject({ providerKeys: [{ state: 'enabled' }] });
    caller = { ...caller, accountId: 'default' };
    await expect(ask('POST /provider-keys/{id}/test', { id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of another account are not visible', async () => {
    const { id } = await create();
    caller = { ...caller, accountId: 'default' };
    const missing = { code: 'not_found', status: 404 };
    await expect(ask('PATCH /provider-keys/{id}', { id, enabled: false })).rejects.toMatchObject(missing);
    await expect(ask('DELETE /provider-keys/{id}', { id })).rejects.toMatchObject(missing);
    expect(await list()).toEqual({ providerKeys: [] });
    expect(notices).toHaveLength(1);
  });

  it('cannot be decrypted after being moved to another account by hand', async () => {
    const { id } = await create();
    for (const table of ['provider_keys', 'secrets'] as const) {
      await tools.database.kysely.updateTable(table).set({ account_id: 'default' }).where('id', '=', id).execute();
    }
    await expect(loadProviderKeys(tools, 'default')).rejects.toMatchObject({ code: 'unavailable' });
    await tools.database.kysely.deleteFrom('secrets').where('id', '=', id).execute();
  });

  it('are limited to a hundred per account, even if created concurrently', async () => {
    const values = Array.from({ length: maxProviderKeys - 2 }, (_, at) => ({
      id: `${caller.accountId}-${at}`,
      account_id: caller.accountId,
      provider,
      label: 'l',
      last_four: '',
    }));
    const sealed = { purpose: 'test', key_id: 'k', sealed: '' };
    const { kysely } = tools.database;
    await kysely
      .insertInto('secrets')
      .values(values.map(({ id }) => ({ id, account_id: caller.accountId, ...sealed })))
      .execute();
    await kysely.insertInto('provider_keys').values(values).execute();
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => create()));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(create()).rejects.toThrow('An account can have at most 100 provider keys');
    await kysely.deleteFrom('secrets').where('account_id', '=', caller.accountId).execute();
    expect(await list()).toEqual({ providerKeys: [] });
  });

  it.each([
    ['an unknown provider', { provider: 'unknown' }, '`provider`: This provider does not exist.'],
    ['a provider without keys', { provider: 'sandbox-a' }, '`provider`: sandbox-a accepts no key.'],
    ['a custom provider without keys', { provider: 'own-open' }, '`provider`: own-open accepts no key.'],
    ['a key with a line break', { key: 'sk-text\r\nx-evil: 1' }, 'key must be 8 to 4096 visible ASCII'],
    ['a key that is too short', { key: '1234567' }, 'key must be 8 to 4096 visible ASCII'],
    ['a key that is too long', { key: 'k'.repeat(4_097) }, 'key must be 8 to 4096 visible ASCII'],
    ['a label with a control character', { label: 'a\nb' }, 'label must not contain control characters'],
    ['an unknown member', { baseUrl: 'http://169.254.169.254' }, 'has the unknown member "baseUrl"'],
  ])('with %s are refused', async (_what, input, message) => {
    await expect(create(input)).rejects.toThrow(message);
    expect(await list()).toEqual({ providerKeys: [] });
  });

  it('are accepted for custom providers, and up to the maximum length', async () => {
    expect(await create({ provider: 'own-endpoint', key: 'k'.repeat(4_096) })).toMatchObject({ lastFour: 'kkkk' });
    expect(await create({ key: '12345678' })).toMatchObject({ lastFour: '' });
  });

  it('determine the choice of keys in the principal', async () => {
    const { key } = await createKey(tools.database, { ...operator, accountId: caller.accountId }, { name: 'k' });
    const choiceOf = async (mode: ProviderKeyMode) => {
      const set = tools.database.kysely.updateTable('accounts').set({ provider_key_mode: mode });
      await set.where('id', '=', caller.accountId).execute();
      return (await authenticate(tools.database, hashKey(key)))?.principal.providerKeys;
    };
    const all = async () => [await choiceOf('own_first'), await choiceOf('own_only'), await choiceOf('service_only')];
    expect(await all()).toEqual([undefined, 'own_only', undefined]);
    const { id } = await create();
    expect(await all()).toEqual(['own_first', 'own_only', undefined]);
    await ask('PATCH /provider-keys/{id}', { id, enabled: false });
    expect(await all()).toEqual([undefined, 'own_only', undefined]);
  });

  it('require the expected roles', async () => {
    caller = { ...caller, role: 'member' };
    const access = providerKeyEndpoints({
      ...tools,
      callWithKey: notCalled,
      catalogue: async () => catalogue,
      announce: { providerKeyChanged() {} },
    });
    expect(access.map(({ operation: { method, access: role } }) => [method, role])).toEqual([
      ['GET', 'member'],
      ['POST', 'admin'],
      ['PATCH', 'admin'],
      ['DELETE', 'admin'],
      ['POST', 'admin'],
    ]);
  });
});

it('a custom provider cannot be checked while the catalogue is not available; a built-in one can', async () => {
  const opened = await databasesWithSecrets[1][1]();
  const away = new GatewayError('unavailable', 'away');
  const endpoints = providerKeyEndpoints({
    ...opened.tools,
    callWithKey: notCalled,
    catalogue: () => Promise.reject(away),
    announce: { providerKeyChanged() {} },
  });
  const caller: ApiCaller = { accountId: 'default', actor: 'operator', role: 'owner', operator: true };
  const request = { address: '', sessionToken: undefined, setSession() {} };
  const create = (name: string) =>
    endpoints[1]?.run({ provider: name, label: 'l', key: 'sk-embedded-plain-text-4711' }, caller, request);
  await expect(create('own-endpoint')).rejects.toBe(away);
  expect(await create(provider)).toMatchObject({ provider });
  await opened.tools.database.close();

  const files = await readdir(opened.directory ?? '', { recursive: true, withFileTypes: true });
  const contents = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)));
  const leaks = (await Promise.all(contents)).filter((bytes) => bytes.includes('embedded-plain-text'));
  expect(contents.length).toBeGreaterThan(100);
  expect(leaks).toEqual([]);
  await opened.close();
});
