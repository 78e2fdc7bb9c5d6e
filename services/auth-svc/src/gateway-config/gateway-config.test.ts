import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient, inProcessLink } from '@tallyport/bus';
import { authService, hashKey, makeKey } from '@tallyport/contracts';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, preparedDirectory } from '@tallyport/database/testing';
import { openMemoryStore } from '@tallyport/store';
import { generateMasterKey } from '@tallyport/management-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuthConfig } from '../config.ts';
import { authModule } from '../module.ts';
import { testKit } from '../testing/open-auth.ts';

/** A folder as Kubernetes mounts it: its files are links to `..data`, which is replaced as a whole. */
async function mountFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'mounted-'));
  let version = 0;
  return {
    folder,
    path: join(folder, 'gateway.yaml'),
    async replace(files: Readonly<Record<string, string>>) {
      const data = `..version-${(version += 1)}`;
      await mkdir(join(folder, data));
      for (const [name, text] of Object.entries(files)) {
        await writeFile(join(folder, data, name), text);
        await symlink(join('..data', name), join(folder, name)).catch(() => {});
      }
      await symlink(data, join(folder, '..next'));
      await rename(join(folder, '..next'), join(folder, '..data'));
    },
  };
}

const document = (account: object, name = 'default'): string =>
  JSON.stringify({ apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: { [name]: account } });

const fromFile = (name: string) => ({ key: { fromFile: name } });

describe('a mounted gateway document', () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  let mounted: Awaited<ReturnType<typeof mountFolder>>;
  beforeEach(async () => {
    mounted = await mountFolder();
    leftovers.push(() => rm(mounted.folder, { recursive: true }));
  });
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  const startReplica = async (database: Database, changes: Partial<AuthConfig> = {}) => {
    const link = inProcessLink();
    const config = { GATEWAY_CONFIG: mounted.path, GATEWAY_CONFIG_SECRETS: mounted.folder, ...changes };
    const kit = testKit(config);
    const publicUrl = () => 'http://gateway.test';
    const web = {
      store: openMemoryStore(),
      publicUrl,
      targetUrls: { allowLocal: false },
      oauthClients: { readsDocuments: true, pinned: [] },
    };
    const auth = authModule(kit, { link, database, web });
    await auth.start?.();
    leftovers.push(async () => {
      await auth.stop?.(1_000);
      await link.close();
    });
    const client = createClient(link, authService);
    return {
      metric: async (line: string) => (await kit.metrics.text()).split('\n').includes(line),
      changes: async () => {
        const lines = (await kit.metrics.text()).matchAll(/^gateway_config_changes_total\{.*\} (\d+)$/gm);
        return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
      },
      isKnown: async (key: string) => (await client.authenticate({ keyHash: hashKey(key) })).caller !== null,
      keys: async () => (await client.listKeys({})).keys.filter(({ revokedAt }) => !revokedAt),
    };
  };
  const openEmbedded = async () => {
    const directory = await preparedDirectory();
    const database = await openDatabase({ directory });
    leftovers.push(async () => {
      await database.close();
      await rm(directory, { recursive: true });
    });
    return startReplica(database, { DATA_DIR: directory });
  };

  const openPostgres = async (changes?: Partial<AuthConfig>) => {
    const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    const database = await openDatabase({ url });
    leftovers.push(async () => {
      await database.close();
      await drop();
    });
    return startReplica(database, { DATABASE_URL: url, SECRETS_KEY: [generateMasterKey()], ...changes });
  };

  it('is applied at the start, and again when Kubernetes replaces it or a secret', async () => {
    const [first, second] = [makeKey(), makeKey()];
    const keys = { keys: { search: fromFile('search') } };
    await mounted.replace({ 'gateway.yaml': document(keys), search: first });
    const replica = await openEmbedded();
    await expect.poll(() => replica.isKnown(first)).toBe(true);
    expect(await replica.keys()).toMatchObject([{ name: 'search', prefix: first.slice(0, 12) }]);

    const limited = { keys: { search: { ...fromFile('search'), cacheTtlSeconds: 60 } } };
    await mounted.replace({ 'gateway.yaml': document(limited), search: first });
    await expect.poll(async () => (await replica.keys())[0]?.cacheTtlSeconds).toBe(60);
    await mounted.replace({ 'gateway.yaml': document(limited), search: second });
    await expect.poll(() => replica.isKnown(second)).toBe(true);
    expect(await replica.changes()).toBe(3);
  });

  it.each<[string, object]>([
    ['is invalid', { kyes: {} }],
    ['would create a key that no person sees', { keys: { other: {} } }],
    ['would create an OAuth client that no person sees', { oauthClients: { other: {} } }],
    ['names a variable', { keys: { other: { key: { fromEnv: 'SECRETS_KEY' } } } }],
    ['names the folder itself', { keys: { other: fromFile('.') } }],
  ])('that %s is refused, and the state stays', async (_name, wrong) => {
    const key = makeKey();
    const right = { cacheTtlSeconds: 60 };
    await mounted.replace({ 'gateway.yaml': document({ settings: right, ...wrong }), search: key });
    const replica = await openPostgres();
    await expect.poll(() => replica.metric('gateway_config_refused 1')).toBe(true);
    expect([await replica.keys(), await replica.changes()]).toEqual([[], 0]);
    await mounted.replace({ 'gateway.yaml': document({ keys: { search: fromFile('search') } }), search: key });
    await expect.poll(() => replica.isKnown(key)).toBe(true);
    await expect.poll(() => replica.metric('gateway_config_refused 0')).toBe(true);
  });

  it('cannot name a file outside of the folder of secrets', async () => {
    const outside = `${mounted.folder}-outside`;
    leftovers.push(() => rm(outside));
    await writeFile(outside, makeKey());
    const keys = { search: fromFile(`../${basename(outside)}`) };
    await mounted.replace({ 'gateway.yaml': document({ keys }) });
    const replica = await openPostgres();
    await expect.poll(() => replica.metric('gateway_config_refused 1')).toBe(true);
    expect(await replica.keys()).toEqual([]);
  });

  it('whose step fails is tried again, and continues when it is corrected', async () => {
    const keys = { search: fromFile('search') };
    const files = (provider: string) => ({
      'gateway.yaml': document({
        settings: { cacheTtlSeconds: 60 },
        providerKeys: { ours: { provider, key: { fromFile: 'provider' } } },
        keys,
      }),
      search: makeKey(),
      provider: 'sk-a-secret-of-a-provider-4711',
    });
    await mounted.replace(files('nowhere'));
    const replica = await openPostgres();
    await expect.poll(() => replica.metric('gateway_config_failed 1')).toBe(true);
    expect([await replica.keys(), await replica.changes()]).toEqual([[], 1]);
    await mounted.replace(files('openai'));
    await expect.poll(() => replica.metric('gateway_config_failed 0')).toBe(true);
    expect([(await replica.keys()).length, await replica.changes()]).toEqual([1, 3]);
  });

  it.each([
    [false, ['by hand', 'search']],
    [true, ['search']],
  ])('with GATEWAY_CONFIG_PRUNE=%s leaves the keys %j', async (prune, names) => {
    const files = { search: makeKey(), hand: makeKey() };
    await mounted.replace({ ...files, 'gateway.yaml': document({ keys: { 'by hand': fromFile('hand') } }) });
    const replica = await openPostgres({ GATEWAY_CONFIG_PRUNE: prune });
    await expect.poll(() => replica.isKnown(files.hand)).toBe(true);
    await mounted.replace({ ...files, 'gateway.yaml': document({ keys: { search: fromFile('search') } }) });
    await expect.poll(async () => (await replica.keys()).map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('is applied once by two replicas that see a change at the same time', async () => {
    const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    leftovers.push(drop);
    const openThere = async () => {
      const database = await openDatabase({ url });
      leftovers.push(() => database.close());
      return database;
    };
    await mounted.replace({ 'gateway.yaml': document({}) });
    const [one, other] = [await openThere(), await openThere()];
    const replicas = await Promise.all([one, other].map((database) => startReplica(database, { DATABASE_URL: url })));
    const names = Array.from({ length: 20 }, (_, at) => `key-${at}`);
    const keys = Object.fromEntries(names.map((name) => [name, fromFile(name)]));
    const texts = Object.fromEntries(names.map((name) => [name, makeKey()]));
    await mounted.replace({ ...texts, 'gateway.yaml': document({ keys }, 'Search') });
    const countKeys = async () => {
      const { rows } = await sql<{ count: string }>`select count(*) from api_keys`.execute(one.kysely);
      return Number(rows[0]?.count);
    };
    await expect.poll(countKeys).toBe(20);
    const changes = async () =>
      (await Promise.all(replicas.map((replica) => replica.changes()))).reduce((sum, each) => sum + each, 0);
    await expect.poll(changes).toBe(21);
    // The replica that was second has looked by the time it has applied a later version.
    await mounted.replace({
      ...texts,
      'gateway.yaml': document({ keys, settings: { cacheTtlSeconds: 60 } }, 'Search'),
    });
    await expect.poll(changes).toBe(22);
    expect(await countKeys()).toBe(20);
  });
});
