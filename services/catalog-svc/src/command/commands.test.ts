import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, preparedDirectory } from '@tallyport/database/testing';
import { createKit, createMetrics, silentLog } from '@tallyport/service-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { catalogueSocket } from '../module.ts';
import { storeOverride } from '../overrides/stored-overrides.ts';
import { openCatalog } from '../testing/open-catalog.ts';
import { catalogueCommand } from './commands.ts';
import { type CataloguePlaces, openCatalogueAdministration } from '../open-administration.ts';

describe('npm run catalog', () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  const openAt = async (directory: string, url?: string) => {
    const places: CataloguePlaces = {
      NATS_URL: undefined,
      TALLYPORT_CONFIG: undefined,
      SANDBOX: 'off',
      DATABASE_URL: url,
      DATA_DIR: directory,
    };
    const catalogue = await openCatalogueAdministration(places);
    leftovers.push(catalogue.close);
    return async (...words: string[]) => (await catalogueCommand(words)?.(catalogue)) ?? 'not understood';
  };

  const emptyDirectory = async () => {
    const directory = await preparedDirectory();
    leftovers.push(() => rm(directory, { recursive: true }));
    return directory;
  };

  it.each([
    [[]],
    [['list', 'all']],
    [['set', 'model', 'x']],
    [['set', 'offer', 'x', '{}']],
    [['set', 'model', 'x', '{}', '{}']],
    [['remove', 'model']],
    [['refresh']],
    [['prices', 'all']],
    [['prices', '--since', 'x']],
    [['prices', '--since', '2026-01-01', '--version', 'v']],
    [['refresh', '--apply']],
    [['toString', 'x']],
  ])('refuses the unknown command %j', (words) => {
    expect(catalogueCommand(words)).toBe(undefined);
  });

  const ownPriority = JSON.stringify({ offers: { openai: { priority: 0.5 } } });

  it('sets, lists and removes changes in the embedded database', async () => {
    const catalog = await openAt(await emptyDirectory());
    expect(await catalog('list')).toBe('There are no changes. Make one: npm run catalog -- set model <id> <json>\n');
    expect(await catalog('set', 'model', 'gpt-5.5', ownPriority)).toBe('model gpt-5.5 is changed.\n');
    expect(await catalog('list')).toMatch(
      /^model gpt-5\.5 {2}\d{4}-\S+ {2}\{"offers":\{"openai":\{"priority":0\.5\}\}\}\n$/,
    );
    await expect(catalog('set', 'model', 'gpt-5.5', '{"nmae":1}')).rejects.toThrow('nmae: is not a known member.');
    await expect(catalog('set', 'model', 'gpt-5.5', 'nothing')).rejects.toThrow('Invalid JSON: nothing');
    expect(await catalog('remove', 'model', 'gpt-5.5')).toBe('model gpt-5.5 is reset.\n');
    await expect(catalog('remove', 'model', 'gpt-5.5')).rejects.toThrow('model gpt-5.5 has no change to remove.');
  });

  it('takes other prices over from a file', async () => {
    const directory = await emptyDirectory();
    const catalog = await openAt(directory);
    await catalog('set', 'model', 'gpt-5.5', ownPriority);
    const file = join(directory, 'prices.json');
    const prices = { openai: { models: { 'gpt-5.5': { cost: { input: 5, output: 33 } } } } };
    await writeFile(file, JSON.stringify(prices));
    const shown = 'gpt-5.5  openai  pricing.completion  0.00003 → 0.000033\n';
    expect(await catalog('refresh', file)).toBe(`${shown}\n1 differ. To take them over, add --apply.\n`);
    expect(await catalog('refresh', file)).toContain('1 differ.');
    expect(await catalog('refresh', file, '--apply')).toBe(`${shown}\n1 taken over.\n`);
    expect(await catalog('refresh', file)).toBe('No differences.\n');
    const offer =
      /\{"openai":\{"asOf":"\d{4}-\d\d-\d\d","source":"prices\.json","pricing":\{"completion":"0\.000033"\},"priority":0\.5\}\}/;
    expect(await catalog('list')).toMatch(offer);
  });

  it('adds new models from a file', async () => {
    const directory = await emptyDirectory();
    const catalog = await openAt(directory);
    const file = join(directory, 'prices.json');
    await writeFile(
      file,
      JSON.stringify({ openai: { models: { 'gpt-next': { name: 'Next', cost: { input: 1, output: 2 } } } } }),
    );
    const added = 'gpt-next  openai  new model gpt-next  prompt 0.000001, completion 0.000002  streaming\n';
    expect(await catalog('refresh', file)).toBe(
      `${added}\n1 new (1 of them models). To take them over, add --apply.\n`,
    );
    expect(await catalog('refresh', file, '--apply')).toBe(`${added}\n1 added (1 of them models).\n`);
    expect(await catalog('refresh', file)).toBe('No differences.\n');
    expect(await catalog('remove', 'model', 'gpt-next')).toBe('model gpt-next is reset.\n');
  });

  it('shows which prices have changed and will change, and those of a version that was in force', async () => {
    const catalog = await openAt(await emptyDirectory());
    const prices = [
      { from: '2026-11-20', source: 'contract 7', pricing: { prompt: '0.000004' } },
      { from: '2126-01-01T12:00:00Z', source: 'contract 8', pricing: { prompt: '0.000003' } },
    ];
    await catalog('set', 'model', 'gpt-5.5', JSON.stringify({ offers: { openai: { prices } } }));
    const ofModel = (text: string) =>
      text.split('\n').filter((each) => !/\S/.test(each) || / gpt-5\.5 {2}|:$/.test(each));
    expect(ofModel(await catalog('prices', '--since', '2026-11-20')).slice(0, 6)).toEqual([
      'Changed since 2026-11-20:',
      '2026-11-20  gpt-5.5  openai  prompt  0.000005 → 0.000004  contract 7',
      '',
      'Will change:',
      '2126-01-01T12:00:00Z  gpt-5.5  openai  prompt  0.000004 → 0.000003  contract 8',
      '',
    ]);
    const { version, changed, coming } = JSON.parse(await catalog('prices', '--since', '2026-11-20', '--json'));
    const about = { model: 'gpt-5.5', provider: 'openai', class: 'prompt' };
    expect(
      [changed, coming].map((changes: object[]) =>
        changes.filter((each) => 'model' in each && each.model === 'gpt-5.5'),
      ),
    ).toEqual([
      [{ ...about, from: '2026-11-20T00:00:00Z', old: '0.000005', new: '0.000004', source: 'contract 7' }],
      [{ ...about, from: '2126-01-01T12:00:00Z', old: '0.000004', new: '0.000003', source: 'contract 8' }],
    ]);

    await catalog('set', 'model', 'gpt-5.5', 'null');
    const found = JSON.parse(await catalog('prices', '--version', version, '--json'));
    expect([found.version, Date.parse(found.since) <= Date.now()]).toEqual([version, true]);
    expect(
      found.prices.filter(({ model, provider }: typeof about) => model === 'gpt-5.5' && provider === 'openai'),
    ).toMatchObject([{ pricing: { prompt: '0.000004', completion: '0.00003' }, priceSince: '2026-11-20T00:00:00Z' }]);
    expect(await catalog('prices', '--version', version)).toContain(
      'gpt-5.5  openai  prompt 0.000004, completion 0.00003',
    );
    await expect(catalog('prices', '--version', 'none')).rejects.toThrow('No prices are known of catalogue none.');
  });

  it('waits for a database that is slow to answer', async () => {
    const directory = await emptyDirectory();
    const test = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    const database = await openDatabase({ url: test.url });
    leftovers.push(() => database.close().then(test.drop));
    await database.migrate();
    await storeOverride(database, { kind: 'model', id: 'o3', value: null });
    const locked = Promise.withResolvers<void>();
    const slow = database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table catalogue_overrides`.execute(transaction);
      locked.resolve();
      await sql`select pg_sleep(1.5)`.execute(transaction);
    });
    await Promise.race([locked.promise, slow]);
    const catalog = await openAt(directory, test.url);
    expect(await catalog('list')).toMatch(/^model o3 /);
    await slow;
  });

  it('works through the running instance that holds the data directory', async () => {
    const directory = await emptyDirectory();
    const database = await openDatabase({ directory });
    leftovers.push(() => database.close());
    const running = await openCatalog({ database });
    leftovers.push(running.stop);
    const config = { DATA_DIR: directory };
    const kit = createKit({
      name: 'catalog-svc',
      config,
      log: silentLog(),
      metrics: createMetrics({ defaults: false }),
    });
    const socket = catalogueSocket(kit, running);
    await socket.start?.();
    leftovers.push(async () => socket.stop?.(1_000));

    const catalog = await openAt(directory);
    const before = await running.client.snapshot({});
    expect(await catalog('set', 'model', 'o3', 'null')).toBe('model o3 is changed.\n');
    expect((await running.client.snapshot({})).models.length).toBe(before.models.length - 1);
    await expect(catalog('set', 'provider', 'own', '{}')).rejects.toThrow('needs a baseUrl');
    expect(await catalog('remove', 'model', 'o3')).toBe('model o3 is reset.\n');
  });

  it('reads documents from a URL, and reports what is wrong with one', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/prices') response.end('{}');
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    leftovers.push(() => new Promise((resolve) => server.close(resolve)));
    const folder = await mkdtemp(join(tmpdir(), 'prices-'));
    leftovers.push(() => rm(folder, { recursive: true }));
    const running = await openCatalog();
    leftovers.push(running.stop);
    const catalogue = { ...running.client, close: async () => {} };
    const refresh = (place: string) => catalogueCommand(['refresh', place])?.(catalogue);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await refresh(`${base}/prices`)).toBe('No differences.\n');
    await expect(refresh(`${base}/none`)).rejects.toThrow('the server returned status 404.');
    await writeFile(join(folder, 'x'), '{');
    await expect(refresh(join(folder, 'x'))).rejects.toThrow('is not JSON.');
    await expect(refresh(join(folder, 'none'))).rejects.toThrow('cannot be read: ENOENT');
  });
});
