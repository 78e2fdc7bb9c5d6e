import { checkKey, hashKey, makeKey } from '@tallyport/contracts';
import { preparedDirectory } from '@tallyport/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuth, type OpenedAuth } from './testing/open-auth.ts';

describe('auth-svc', () => {
  let opened: OpenedAuth;
  beforeAll(async () => {
    opened = await openAuth(await preparedDirectory());
  });
  afterAll(() => opened.remove());

  const lookUp = async (key: string) =>
    (await opened.client.authenticate({ keyHash: hashKey(key) })).caller?.principal ?? null;

  it('is healthy if its database is', async () => {
    expect(await opened.auth.check?.()).toEqual({ ok: true });
    expect(await opened.client.databaseStatus({})).toEqual({ connected: true });
  });

  it('returns a constant installation id', async () => {
    const first = await opened.client.installation({});
    expect(first).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(await opened.client.installation({})).toEqual(first);
  });

  it('knows whether there is one account', async () => {
    const isOnly = async (accountId: string) => (await opened.client.isOnlyAccount({ accountId })).only;
    expect([await isOnly('default'), await isOnly('acc_2')]).toEqual([true, false]);
    await opened.database.kysely.insertInto('accounts').values({ id: 'acc_2', name: 'second' }).execute();
    expect([await isOnly('default'), await isOnly('acc_2')]).toEqual([false, false]);
    await opened.database.kysely.deleteFrom('accounts').where('id', '=', 'acc_2').execute();
    expect(await isOnly('default')).toBe(true);
  });

  it('creates a key that is known from then on', async () => {
    const { key, record } = await opened.client.createKey({ name: 'first' });
    expect(checkKey(key)).toBe(true);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'first',
      prefix: key.slice(0, 12),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(await lookUp(key)).toEqual({ accountId: 'default', keyId: record.id });
  });

  it('does not store the text of a key', async () => {
    const { key } = await opened.client.createKey({ name: 'secret' });
    const rows = await opened.database.kysely.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(12));
    expect(JSON.stringify(await opened.client.listKeys({}))).not.toContain(key.slice(12));
  });

  it.each([
    ['a key that was never created', hashKey(makeKey())],
    ['a text that is not a hash', "' or true --"],
    ['nothing', ''],
    ['something very long', 'f'.repeat(100_000)],
  ])('does not know %s', async (_what, keyHash) => {
    expect(await opened.client.authenticate({ keyHash })).toEqual({ caller: null });
  });

  it('revokes a key at once, notifies all replicas, and returns the same when repeated', async () => {
    const revoked: string[] = [];
    const leave = opened.client.keyRevoked.subscribe(({ keyHash }) => revoked.push(keyHash));
    const { key, record } = await opened.client.createKey({ name: 'to be revoked' });
    expect(await opened.client.revokeKey({ id: record.id })).toEqual({ revoked: true });
    expect(await lookUp(key)).toBe(null);
    expect(await opened.client.revokeKey({ id: record.id })).toEqual({ revoked: true });
    await expect.poll(() => revoked).toEqual([hashKey(key), hashKey(key)]);
    const { keys } = await opened.client.listKeys({});
    expect(keys.find(({ id }) => id === record.id)).toEqual({ ...record, revokedAt: expect.any(String) });
    leave();
  });

  it('reports that there is no key to revoke', async () => {
    expect(await opened.client.revokeKey({ id: 'key_nobody' })).toEqual({ revoked: false });
  });

  it.each([
    ['a moment ago', -1_000, false],
    ['in an hour', 3_600_000, true],
  ])('respects an expiry %s', async (_when, inMs, known) => {
    const { key, record } = await opened.client.createKey({ name: 'expiring' });
    const expiresAt = new Date(Date.now() + inMs);
    const update = opened.database.kysely.updateTable('api_keys').set({ expires_at: expiresAt });
    await update.where('id', '=', record.id).execute();
    expect((await lookUp(key)) !== null).toBe(known);
    const { keys } = await opened.client.listKeys({});
    expect(keys.find(({ id }) => id === record.id)?.expiresAt).toBe(expiresAt.toISOString());
  });

  it('returns what a key may use, and an empty list is not the same as none', async () => {
    const { key, record } = await opened.client.createKey({ name: 'limited' });
    const limits = { allowed_models: JSON.stringify(['a', 'b/c']), allowed_providers: JSON.stringify([]) };
    await opened.database.kysely.updateTable('api_keys').set(limits).where('id', '=', record.id).execute();
    expect(await lookUp(key)).toEqual({
      accountId: 'default',
      keyId: record.id,
      allowedModels: ['a', 'b/c'],
      allowedProviders: [],
    });
  });

  it.each(['', 'x'.repeat(101)])('refuses the name %j', async (name) => {
    await expect(opened.client.createKey({ name })).rejects.toMatchObject({
      code: 'invalid_parameters',
      param: 'name',
    });
  });

  it('stores names unchanged', async () => {
    const name = `'; drop table api_keys; -- \u{1F511}${'x'.repeat(70)}`;
    const { record } = await opened.client.createKey({ name });
    expect(record.name).toBe(name);
  });

  it('records when keys were used, at the latest when it stops', async () => {
    const { key, record } = await opened.client.createKey({ name: 'used' });
    await lookUp(key);
    await opened.auth.stop?.(1_000);
    const rows = await opened.database.kysely.selectFrom('api_keys').select(['id', 'last_used_at']).execute();
    expect(rows.find(({ id }) => id === record.id)?.last_used_at).toBeInstanceOf(Date);
    await expect(opened.client.listKeys({})).rejects.toMatchObject({ code: 'unavailable' });
    await opened.auth.start?.();
  });
});
