import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createClient, inProcessLink } from '@tallyport/bus';
import { type Catalogue, catalogService } from '@tallyport/contracts';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTestDatabase, createTroubledDatabase, type TestDatabase, troubles } from '@tallyport/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogOptions, type OpenedCatalog, openCatalog } from '../testing/open-catalog.ts';

const offers = (prompt: string) => ({ offers: { openai: { pricing: { prompt } } } });
const priceIn = ({ models }: Catalogue) => models.find(({ id }) => id === 'gpt-5.5')?.offers[0]?.pricing['prompt'];

describe('overrides', () => {
  let test: TestDatabase;
  let database: Database;
  const opened: { stop(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    test = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    database = await openDatabase({ url: test.url });
  });
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) await each.stop();
    await database.kysely.deleteFrom('catalogue_overrides').execute();
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  const open = async (options: CatalogOptions = {}): Promise<OpenedCatalog> => {
    const catalog = await openCatalog({ database, ...options });
    opened.push(catalog);
    return catalog;
  };

  it('are in force once answered, and can be listed, replaced and removed', async () => {
    const { client } = await open();
    const before = await client.snapshot({});
    const { version } = await client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.5') });
    const after = await client.snapshot({});
    expect([after.version, priceIn(after)]).toEqual([version, '0.5']);

    await client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.6') });
    const own = { baseUrl: 'https://own.example/v1' };
    await client.setOverride({ kind: 'provider', id: 'own', value: own });
    expect(await client.listOverrides({})).toEqual({
      overrides: [
        { kind: 'provider', id: 'own', value: own, updatedAt: expect.any(String) },
        { kind: 'model', id: 'gpt-5.5', value: offers('0.6'), updatedAt: expect.any(String) },
      ],
    });

    expect(await client.removeOverride({ kind: 'provider', id: 'own' })).toEqual({ removed: true });
    expect(await client.removeOverride({ kind: 'model', id: 'gpt-5.5' })).toEqual({ removed: true });
    expect(await client.removeOverride({ kind: 'model', id: 'gpt-5.5' })).toEqual({ removed: false });
    expect(await client.snapshot({})).toEqual(before);
  });

  it('may name a price of a later moment, which takes force then on every replica', async () => {
    const first = await open();
    const second = await open();
    const from = new Date(Date.now() + 1_500).toISOString();
    const value = { offers: { openai: { prices: [{ from, source: 'contract 7', pricing: { prompt: '0.7' } }] } } };
    await first.client.setOverride({ kind: 'model', id: 'gpt-5.5', value });
    const before = await first.client.snapshot({});
    expect(before.next).toMatchObject({ at: from, models: [{ id: 'gpt-5.5' }] });
    expect(priceIn(before)).toBe('0.000005');
    for (const { client } of [first, second]) {
      await expect.poll(async () => priceIn(await client.snapshot({}))).toBe('0.7');
      const after = await client.snapshot({});
      expect([after.version, Date.now() >= Date.parse(from)]).toEqual([before.next?.version, true]);
      expect(after.models.find(({ id }) => id === 'gpt-5.5')?.offers[0]).toMatchObject({
        priceSince: from,
        priceSource: 'contract 7',
      });
    }
  });

  it('take precedence over the file, survive a restart, and can remove a model', async () => {
    const text = 'models: { gpt-5.5: { offers: { openai: { pricing: { prompt: "0.1" } } } } }';
    const first = await open({ text });
    expect(priceIn(await first.client.snapshot({}))).toBe('0.1');
    await first.client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.2') });
    await first.client.setOverride({ kind: 'model', id: 'o3', value: null });
    const { client } = await open({ text });
    const catalogue = await client.snapshot({});
    expect(priceIn(catalogue)).toBe('0.2');
    expect(catalogue.models.some(({ id }) => id === 'o3')).toBe(false);
  });

  it.each([
    [
      { kind: 'model' as const, id: 'gpt-5.5', value: offers('free') },
      'value.offers.openai.pricing.prompt',
      /^offers\.openai\.pricing\.prompt: must be USD/,
    ],
    [
      { kind: 'model' as const, id: 'new', value: { offers: { nobody: { model: 'x' } } } },
      'value.offers.nobody',
      /there is no provider nobody/,
    ],
    [{ kind: 'provider' as const, id: 'own', value: {} }, 'value', /^provider own: needs a baseUrl/],
    [{ kind: 'provider' as const, id: 'openai', value: { path: '/x' } }, 'value.path', /is built in/],
  ])('%j is refused and changes nothing', async (override, param, message) => {
    const { client } = await open();
    const before = await client.snapshot({});
    const error = await client.setOverride(override).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_parameters', param, message: expect.stringMatching(message) });
    expect(await client.snapshot({})).toEqual(before);
    expect(await client.listOverrides({})).toEqual({ overrides: [] });
  });

  it('reach every replica within two seconds', async () => {
    // The link sends a call to either replica; each answers with its own catalogue.
    const link = inProcessLink();
    const { client } = await open({ link });
    const other = await open({ link });
    const { version } = await client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.5') });
    const versions = async () => {
      const snapshots = await Promise.all(Array.from({ length: 8 }, () => other.client.snapshot({})));
      return new Set(snapshots.map((snapshot) => snapshot.version));
    };
    await expect.poll(versions).toEqual(new Set([version]));
  });

  it('that no longer fit are left out with a reason; the others count', async () => {
    const { client, write } = await open({ text: 'providers: { own: { baseUrl: "https://own.example" } }' });
    await client.setOverride({ kind: 'model', id: 'mine', value: { offers: { own: { model: 'm' } } } });
    await client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.5') });
    await write('');
    await expect
      .poll(async () => (await client.listOverrides({})).overrides)
      .toMatchObject([
        { id: 'gpt-5.5', value: offers('0.5') },
        {
          id: 'mine',
          problem: 'models.mine.offers.own: there is no provider own. Add it under providers with a baseUrl.',
        },
      ]);
    expect(priceIn(await client.snapshot({}))).toBe('0.5');
  });

  it('are read when the database becomes available; until then the files are used', async () => {
    const writer = await open();
    await writer.client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.5') });
    const cable = await startCable(test.url);
    const away = await openDatabase({ url: cable.url });
    opened.push({ stop: () => away.close() }, { stop: cable.close });
    const { client } = await open({ database: away });
    const catalogue = await client.snapshot({});
    expect(catalogue.models.length).toBeGreaterThan(100);
    expect(priceIn(catalogue)).not.toBe('0.5');
    await expect(client.setOverride({ kind: 'model', id: 'o3', value: null })).rejects.toMatchObject({
      code: 'unavailable',
    });

    await cable.plugIn();
    await expect.poll(async () => priceIn(await client.snapshot({}))).toBe('0.5');
    await cable.close();
    await expect(client.setOverride({ kind: 'model', id: 'o3', value: null })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(priceIn(await client.snapshot({}))).toBe('0.5');
  });

  it('are read after the start if the database is slow to answer', async () => {
    const { client: writer } = await open();
    await writer.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.5') });
    const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table catalogue_overrides`.execute(transaction);
      locked.resolve();
      await ended.promise;
    });
    await Promise.race([locked.promise, slow]);
    const { client } = await open({ databaseWaitMs: 50 });
    expect(priceIn(await client.snapshot({}))).not.toBe('0.5');
    ended.resolve();
    await slow;
    await expect.poll(async () => priceIn(await client.snapshot({}))).toBe('0.5');
  });

  it.each(troubles)('stay as they are while the database %s, and can be changed when that is over', async (trouble) => {
    const troubled = await createTroubledDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    const own = await openDatabase({ url: troubled.url });
    opened.push({ stop: () => own.close().then(troubled.drop) });
    const failures: unknown[] = [];
    const { client, link } = await open({ database: own, fail: (error) => failures.push(error) });
    const change = (price: string) => client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers(price) });
    /** Repeats the change as a client does, because a busy server may be unavailable for a moment, too. */
    const changed = (price: string) => expect.poll(() => change(price).then(() => 'changed', String)).toBe('changed');
    await changed('0.5');

    const end = await troubled.begin(trouble);
    const away = { code: 'unavailable', status: 503, retryAfterMs: 1_000 };
    await expect(change('0.6')).rejects.toMatchObject(away);
    await expect(client.removeOverride({ kind: 'model', id: 'gpt-5.5' })).rejects.toMatchObject(away);
    // Other replicas hear of the change and read it as well.
    createClient(link, catalogService).catalogueChanged.publish({ version: 'of another replica' });
    expect(priceIn(await client.snapshot({}))).toBe('0.5');
    await end();
    await changed('0.6');
    expect(priceIn(await client.snapshot({}))).toBe('0.6');
    expect(failures).toEqual([]);
  });

  it('of a kind known only to a newer version are ignored', async () => {
    const failures: unknown[] = [];
    const { client } = await open({ fail: (error) => failures.push(error) });
    await client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.5') });
    await sql`alter table catalogue_overrides drop constraint catalogue_overrides_kind_is_known`.execute(
      database.kysely,
    );
    const newer = { kind: 'of a newer version', id: 'x', value: '1' };
    await database.kysely.insertInto('catalogue_overrides').values(newer).execute();
    await client.setOverride({ kind: 'model', id: 'gpt-5.5', value: offers('0.6') });
    expect(priceIn(await client.snapshot({}))).toBe('0.6');
    expect(failures).toEqual([]);
  });

  it('need a database', async () => {
    const { client } = await openCatalog();
    await expect(client.listOverrides({})).rejects.toThrow('catalog-svc has no database. Set its DATABASE_URL');
  });
});

/** A connection to a database that is not available yet. */
async function startCable(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const listen = (on: number) => new Promise<void>((resolve) => server.listen(on, '127.0.0.1', resolve));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    plugIn: () => listen(own),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
