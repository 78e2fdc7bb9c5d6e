import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { untilPasses } from '../../../tests/support/probe.ts';
import { startPostgres, type TestServer } from '../../../tests/support/servers.ts';
import { type Database, type DatabaseEvent, type DatabaseOptions, isUnavailable, openDatabase } from './index.ts';
import { migrations } from './migrations/index.ts';
import { createEmptyDatabase, startTcpRelay } from './testing/index.ts';
import { patient } from '../../../tests/support/patience.ts';

// Long: it kills and suspends Postgres.
// About: packages/database/src.

describe('Postgres faults', () => {
  let server: TestServer;
  const leftovers: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });
  afterAll(() => server.stop());

  const open = async (options: DatabaseOptions): Promise<Database> => {
    const database = await openDatabase(options);
    leftovers.push(() => database.close());
    return database;
  };
  const openEmpty = async (options: Partial<DatabaseOptions> = {}): Promise<Database> => {
    const { url, drop } = await createEmptyDatabase(server.url);
    leftovers.push(drop);
    return open({ url, ...options });
  };
  const fault = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'no fault',
      (error: unknown) => error,
    );
  const ask = (database: Database) => sql`select 1 as one`.execute(database.kysely);

  it('runs migrations of several processes one after the other', async () => {
    const { url, drop } = await createEmptyDatabase(server.url);
    leftovers.push(drop);
    const first = await open({ url });
    const databases = [first, ...(await Promise.all(Array.from({ length: 4 }, () => open({ url }))))];
    await Promise.all(databases.map((database) => database.migrate()));
    const { rows } = await sql`select name from kysely_migration`.execute(first.kysely);
    expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name })));
  });

  it('waits for a migration of another process, longer than the statement limit', async () => {
    const database = await openEmpty({ postgres: { statementTimeoutMs: 100, holdTimeoutMs: 1_000 } });
    const lock = sql.raw('3853314791062309107'); // the advisory lock kysely's migrations share
    let migrated = false;
    let migration: Promise<void> | undefined;
    await database.kysely.connection().execute(async (other) => {
      await sql`select pg_advisory_lock(${lock})`.execute(other);
      migration = database.migrate().then(() => {
        migrated = true;
      });
      await untilPasses(async () => {
        const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(other);
        expect(rows).toHaveLength(1);
      });
      await fault(sql`select pg_sleep(0.2)`.execute(other)); // ends at the 100 ms the statement may take
      expect(migrated).toBe(false);
      await sql`select pg_advisory_unlock(${lock})`.execute(other);
    });
    await migration;
    expect(migrated).toBe(true);
  });

  it('stops waiting for another migration at its limit, with a temporary error', async () => {
    const database = await openEmpty({ postgres: { migrationTimeoutMs: 200 } });
    await database.kysely.connection().execute(async (other) => {
      await sql`select pg_advisory_lock(3853314791062309107)`.execute(other);
      expect(isUnavailable(await fault(database.migrate()))).toBe(true);
      await sql`select pg_advisory_unlock(3853314791062309107)`.execute(other);
    });
  });

  it('opens while Postgres is unavailable, reports it, and connects later', async () => {
    await server.kill('SIGINT');
    const database = await open({ url: server.url });
    expect(await database.check(2_000)).toEqual({ connected: false, error: expect.stringContaining('ECONNREFUSED') });
    expect(isUnavailable(await fault(ask(database)))).toBe(true);
    expect(isUnavailable(await fault(database.migrate()))).toBe(true);
    await server.restart();
    expect(await database.check(10_000)).toEqual({ connected: true });
  });

  it.each(['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)(
    'survives %s of Postgres, idle or at work, and recovers',
    async (signal) => {
      const events: DatabaseEvent[] = [];
      const database = await open({ url: server.url, log: (event) => events.push(event) });
      await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.01)`.execute(database.kysely)));
      const asleep = fault(sql`select pg_sleep(4)`.execute(database.kysely));
      const entered = Promise.withResolvers<void>();
      const resume = Promise.withResolvers<void>();
      const idleInTransaction = fault(
        database.kysely.transaction().execute(async (inside) => {
          await sql`select 1`.execute(inside);
          entered.resolve();
          await resume.promise;
          await sql`select 1`.execute(inside);
        }),
      );
      await entered.promise;
      await server.kill(signal);
      expect(isUnavailable(await asleep)).toBe(true);
      resume.resolve();
      expect(isUnavailable(await idleInTransaction)).toBe(true);
      expect(await database.check(2_000)).toMatchObject({ connected: false });
      expect(new Set(events.map((event) => event.kind))).toEqual(new Set(['connection_lost']));
      await server.restart();
      expect(await database.check(10_000)).toEqual({ connected: true });
      const answers = await Promise.all(Array.from({ length: 20 }, () => fault(ask(database))));
      expect(answers.filter((answer) => answer instanceof Error)).toEqual([]);
    },
  );

  it('ends a statement at its limit, with a temporary error', async () => {
    const database = await open({ url: server.url, postgres: { statementTimeoutMs: 500 } });
    expect(isUnavailable(await fault(sql`select pg_sleep(5)`.execute(database.kysely)))).toBe(true);
    expect(await database.check(10_000)).toEqual({ connected: true });
  });

  it('waits for a free connection no longer than the limit', async () => {
    const database = await open({ url: server.url, postgres: { maxConnections: 1, connectTimeoutMs: 1_000 } });
    const release = Promise.withResolvers<void>();
    const holder = database.kysely.connection().execute(() => release.promise);
    expect(isUnavailable(await fault(ask(database)))).toBe(true);
    release.resolve();
    await holder;
    expect(await database.check(10_000)).toEqual({ connected: true });
  });

  it('leaves connections to others while those for long work are busy', async () => {
    const database = await open({ url: server.url, postgres: { connectTimeoutMs: 1_000 } });
    const release = Promise.withResolvers<void>();
    const hold = () => database.aside.connection().execute(() => release.promise);
    const holders = [hold(), hold(), hold(), hold()];
    expect(isUnavailable(await fault(sql`select 1`.execute(database.aside)))).toBe(true);
    await ask(database);
    release.resolve();
    await Promise.all(holders);
    await sql`select 1`.execute(database.aside);
  });

  it('detects a network that has silently failed, and does not wait for it', async () => {
    const relay = await startTcpRelay(server.url);
    leftovers.push(() => relay.close());
    const limits = { maxConnections: 1, connectTimeoutMs: 2_000, holdTimeoutMs: 200 };
    const database = await open({ url: relay.url, postgres: limits });
    expect(await database.check(10_000)).toEqual({ connected: true });
    relay.goSilent();
    const started = performance.now();
    expect(await database.check(50)).toEqual({ connected: false, error: 'No answer within 50 ms.' });
    expect(isUnavailable(await fault(ask(database)))).toBe(true);
    expect(isUnavailable(await fault(ask(database)))).toBe(true);
    expect(performance.now() - started).toBeLessThan(patient(20_000));
  });

  it('does not wait for a new connection whose settings get no answer', async () => {
    const relay = await startTcpRelay(server.url);
    leftovers.push(() => relay.close());
    relay.goSilentAt('set max_parallel_workers_per_gather');
    const database = await open({ url: relay.url, postgres: { connectTimeoutMs: 500 } });
    expect(isUnavailable(await fault(ask(database)))).toBe(true);
  });

  it('names a missing database, and continues when it exists', async () => {
    const nowhere = new URL(server.url);
    nowhere.pathname = '/nowhere';
    const database = await open({ url: nowhere.href });
    expect(await database.check(2_000)).toEqual({ connected: false, error: 'database "nowhere" does not exist' });
    expect(isUnavailable(await fault(database.migrate()))).toBe(true);
    const elsewhere = await open({ url: server.url });
    await sql`create database nowhere`.execute(elsewhere.kysely);
    await database.migrate();
    expect(await database.check(10_000)).toEqual({ connected: true });
  });
});
