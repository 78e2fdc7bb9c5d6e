import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashKey, makeKey } from '@tallyport/contracts';
import { preparedDirectory } from '@tallyport/database/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureBootstrapKey } from './bootstrap-key.ts';
import { ensureLocalKey } from './local-key.ts';
import { openAuth, type OpenedAuth } from '../testing/open-auth.ts';

describe('keys ensured at the start', () => {
  let opened: OpenedAuth;
  beforeAll(async () => {
    opened = await openAuth(await preparedDirectory());
  });
  beforeEach(async () => {
    await opened.database.kysely.deleteFrom('api_keys').execute();
    await rm(join(opened.directory, 'api-key'), { force: true });
  });
  afterAll(() => opened.remove());

  const keyIdOf = async (key: string) =>
    (await opened.client.authenticate({ keyHash: hashKey(key) })).caller?.principal.keyId ?? null;

  describe('the bootstrap key', () => {
    const ensure = (key: string) => ensureBootstrapKey(opened.database, key);

    it('exists after the first start and is unchanged by later ones', async () => {
      expect(await ensure('an-operator-chose-this')).toEqual({ change: 'created' });
      expect(await ensure('an-operator-chose-this')).toEqual({});
      expect(await keyIdOf('an-operator-chose-this')).toBe('bootstrap');
      const { keys } = await opened.client.listKeys({});
      expect(keys).toEqual([{ id: 'bootstrap', name: 'bootstrap', prefix: 'an-o', createdAt: expect.any(String) }]);
    });

    it('replaces the previous one, which stops working', async () => {
      await ensure('an-operator-chose-this');
      const replacedHash = hashKey('an-operator-chose-this');
      expect(await ensure('then-they-chose-that')).toEqual({ change: 'replaced', replacedHash });
      expect(await keyIdOf('an-operator-chose-this')).toBe(null);
      expect(await keyIdOf('then-they-chose-that')).toBe('bootstrap');
    });

    it('works again if it was revoked', async () => {
      await ensure('an-operator-chose-this');
      await opened.client.revokeKey({ id: 'bootstrap' });
      expect(await keyIdOf('an-operator-chose-this')).toBe(null);
      expect(await ensure('an-operator-chose-this')).toEqual({ change: 'restored' });
      expect(await keyIdOf('an-operator-chose-this')).toBe('bootstrap');
    });

    it('may be an existing key', async () => {
      const { key } = await opened.client.createKey({ name: 'first' });
      expect(await ensure(key)).toEqual({ change: 'created' });
      expect(await keyIdOf(key)).toBe('bootstrap');
    });

    it('may be ensured by several replicas concurrently', async () => {
      const results = await Promise.all(Array.from({ length: 5 }, () => ensure('an-operator-chose-this')));
      expect(results.filter(({ change }) => change === 'created')).toHaveLength(1);
    });
  });

  describe('the local key', () => {
    const ensure = () => ensureLocalKey(opened.database, opened.directory);
    const file = () => join(opened.directory, 'api-key');

    it('is created once, readable by its owner only, and the same at every start', async () => {
      const first = await ensure();
      expect(first).toEqual({ key: expect.stringMatching(/^sk-tp-/), file: file(), created: true });
      expect(await readFile(file(), 'utf8')).toBe(`${first.key}\n`);
      expect((await stat(file())).mode & 0o777).toBe(0o600);
      expect(await keyIdOf(first.key)).toMatch(/^key_/);
      expect(await ensure()).toEqual({ ...first, created: false });
      expect((await opened.client.listKeys({})).keys).toHaveLength(1);
    });

    it('gets its file mode back', async () => {
      await ensure();
      await chmod(file(), 0o644);
      await ensure();
      expect((await stat(file())).mode & 0o777).toBe(0o600);
    });

    it('is restored into a new database', async () => {
      const { key } = await ensure();
      await opened.database.kysely.deleteFrom('api_keys').execute();
      expect(await ensure()).toMatchObject({ key, created: false });
      expect(await keyIdOf(key)).toMatch(/^key_/);
    });

    it('is replaced if it was revoked', async () => {
      const { key } = await ensure();
      await opened.client.revokeKey({ id: (await keyIdOf(key)) ?? '' });
      const second = await ensure();
      expect(second.created).toBe(true);
      expect(second.key).not.toBe(key);
      expect(await keyIdOf(key)).toBe(null);
    });

    it.each(['', 'nonsense', makeKey().slice(0, -1)])('is replaced if its file contains %j', async (text) => {
      await writeFile(file(), text);
      expect(await ensure()).toMatchObject({ created: true });
    });
  });
});
