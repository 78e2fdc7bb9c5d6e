import { createClient, inProcessLink } from '@tallyport/bus';
import { authService, hashKey, ledgerService } from '@tallyport/contracts';
import { type Database, openDatabase, sql } from '@tallyport/database';
import { createTroubledDatabase, troubles } from '@tallyport/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestServer } from '../../../../tests/support/servers.ts';
import { createKit, type Kit } from '@tallyport/service-kit';
import type { AuthConfig } from '../config.ts';
import { authModule } from '../module.ts';
import { openManagement } from '../http/api/testing/open-management.ts';
import { ledgerModule } from '../../../ledger-svc/src/module.ts';
import { ledgerKit } from '../../../ledger-svc/src/testing/open-ledger.ts';
import { usageRecord } from '../../../ledger-svc/src/usage/testing/usage-record.ts';
import { testKit } from '../testing/open-auth.ts';
import { openFirstOwnerLink } from '../enrolment/first-owner.ts';

// Long: it kills Postgres.
// About: services/auth-svc/src/database, packages/management-server/src.

describe('auth-svc without its database', () => {
  let server: TestServer;
  const leftovers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });
  afterAll(() => server.stop());

  const kitOf = (config: Partial<AuthConfig> = {}): Kit<AuthConfig> => testKit({ DATABASE_URL: server.url, ...config });
  const open = async (kit = kitOf({ BOOTSTRAP_API_KEY: 'an-operator-chose-this' }), url = server.url) => {
    const link = inProcessLink();
    const database = await openDatabase({ url });
    leftovers.push(() => database.close());
    const auth = authModule(kit, { link, database });
    const client = createClient(link, authService);
    const startLedger = async () => {
      const ledger = ledgerModule(ledgerKit({ DATABASE_URL: url }), { link, database });
      leftovers.push(async () => ledger.stop?.(1_000));
      await ledger.start?.();
      return createClient(link, ledgerService);
    };
    return { kit, auth, database, client, startLedger };
  };
  const keyHash = hashKey('an-operator-chose-this');
  const away = { code: 'unavailable', status: 503, retryAfterMs: 1_000 };

  it('starts, never reports a key as unknown, and works as soon as the database is back', async () => {
    await server.kill('SIGINT');
    const { auth, client, kit } = await open();
    await auth.start?.();
    leftovers.push(async () => auth.stop?.(1_000));
    await expect(client.authenticate({ keyHash })).rejects.toMatchObject(away);
    await expect(client.createKey({ name: 'now' })).rejects.toMatchObject(away);
    await expect(client.listKeys({})).rejects.toMatchObject(away);
    await expect(client.revokeKey({ id: 'bootstrap' })).rejects.toMatchObject(away);
    expect(await client.databaseStatus({})).toMatchObject({ connected: false });
    expect(await auth.check?.()).toEqual({
      ok: false,
      message: expect.stringContaining('The database is not reachable: '),
    });

    await server.restart();
    const principal = { accountId: 'default', keyId: 'bootstrap' };
    await expect
      .poll(() => client.authenticate({ keyHash }).catch(String))
      .toEqual({ caller: { principal, limits: {} } });
    expect(await auth.check?.()).toEqual({ ok: true });

    await server.kill('SIGINT');
    await expect(client.authenticate({ keyHash })).rejects.toMatchObject(away);
    await server.restart();
    expect(await client.authenticate({ keyHash })).toEqual({ caller: { principal, limits: {} } });
    expect(await kit.metrics.text()).toMatch(/gateway_key_lookups_total\{outcome="unavailable"\} [1-9]/);
  });

  it('lets users sign in as soon as it is back, however often they tried before', async () => {
    const { database } = await open();
    const management = await openManagement(database);
    leftovers.push(management.close);
    const link = (await openFirstOwnerLink(database)) ?? '';
    const [email, password] = ['ann@example.test', 'a long password'];
    const claim = { token: link.replace('/setup/', ''), email, password, address: '192.0.2.1' };
    const { token } = await management.firstOwner.claim(claim);
    const signIn = () => management.ask('POST', '/session', { body: { email, password } });

    await server.kill('SIGINT');
    for (let count = 0; count < 11; count++) {
      const refused = await signIn();
      expect(refused).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    const session = await management.ask('GET', '/session', { cookie: `tallyport=${token}` });
    expect(session.status).toBe(503);
    await server.restart();
    expect((await signIn()).status).toBe(201);
    expect((await management.ask('GET', '/session', { cookie: `tallyport=${token}` })).status).toBe(200);
  });

  const idsWritten = async ({ kysely }: Database): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`select id from usage_records order by id`.execute(kysely);
    return rows.map(({ id }) => id);
  };

  it.each(troubles)('reports no key as unknown and loses no usage while the database %s', async (trouble) => {
    const troubled = await createTroubledDatabase(server.url);
    leftovers.push(troubled.drop);
    const failures: unknown[] = [];
    const config = kitOf({ BOOTSTRAP_API_KEY: 'an-operator-chose-this' });
    const { auth, client, database, startLedger } = await open(
      createKit({ ...config, fail: (error) => failures.push(error) }),
      troubled.url,
    );
    await auth.start?.();
    leftovers.push(async () => auth.stop?.(1_000));
    const { usage } = await startLedger();
    const records = Array.from({ length: 60 }, (_, index) => usageRecord({ id: `record_${index + 10}` }));
    await Promise.all(records.slice(0, 20).map((record) => usage.append(record)));
    await expect.poll(() => idsWritten(database)).toHaveLength(20);

    const end = await troubled.begin(trouble);
    const appended = records.slice(20, 40).map((record) => usage.append(record));
    const results = await Promise.all(
      Array.from({ length: 25 }, () => client.authenticate({ keyHash }).catch((error: unknown) => error)),
    );
    for (const refused of results) expect(refused).toMatchObject(away);
    await Promise.all(appended);
    await end();
    await Promise.all(records.slice(40).map((record) => usage.append(record)));

    await expect.poll(() => idsWritten(database)).toEqual(records.map(({ id }) => id));
    expect(await database.kysely.selectFrom('usage_aside').selectAll().execute()).toEqual([]);
    const principal = { accountId: 'default', keyId: 'bootstrap' };
    expect(await client.authenticate({ keyHash })).toEqual({ caller: { principal, limits: {} } });
    expect(failures).toEqual([]);
  });

  it.each(troubles)('starts while its database %s, and works afterwards', async (trouble) => {
    const troubled = await createTroubledDatabase(server.url);
    leftovers.push(troubled.drop);
    const end = await troubled.begin(trouble);
    const { auth, client } = await open(undefined, troubled.url);
    await auth.start?.();
    leftovers.push(async () => auth.stop?.(1_000));
    await end();
    const principal = { accountId: 'default', keyId: 'bootstrap' };
    await expect
      .poll(() => client.authenticate({ keyHash }).catch(String))
      .toEqual({ caller: { principal, limits: {} } });
  });

  it('refuses to start on a schema that a newer version changed', async () => {
    const { auth, database } = await open();
    await database.migrate();
    const future = { name: '9999-future-breaking', timestamp: '2999-01-01' };
    const migrations = database.kysely.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
    await migrations.insertInto('kysely_migration').values(future).execute();
    await expect(auth.start?.()).rejects.toThrow('upgraded by a newer Tallyport (migration 9999-future-breaking)');
    await migrations.deleteFrom('kysely_migration').where('name', '=', future.name).execute();
  });

  it('fails its process if a newer version changed the schema in the meantime', async () => {
    const { database } = await open();
    await database.migrate();
    const future = { name: '9999-future-breaking', timestamp: '2999-01-01' };
    const migrations = database.kysely.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
    await migrations.insertInto('kysely_migration').values(future).execute();
    await server.kill('SIGINT');
    const failures: unknown[] = [];
    const { auth } = await open(createKit({ ...kitOf(), fail: (error) => failures.push(error) }));
    await auth.start?.();
    leftovers.push(async () => auth.stop?.(1_000));
    await server.restart();
    await expect.poll(() => failures).toHaveLength(1);
    expect(String(failures[0])).toContain('newer Tallyport');
  });
});
