import { openDatabase, sql } from '@tallyport/database';
import { createEmptyDatabase } from '@tallyport/database/testing';
import { afterAll, expect, test } from 'vitest';
import { describeDatabase } from '../../packages/database/src/database.suite.ts';
import { startPostgres } from '../support/servers.ts';
import { startPgBouncer } from './pgbouncer.ts';

/** The line of pgbouncer.ini that docs/operate.md asks for. */
const ignored = 'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

const postgres = await startPostgres();
const pooler = await startPgBouncer(new URL(postgres.url), [ignored]);
afterAll(async () => {
  await pooler.stop();
  await postgres.stop();
});

describeDatabase('Postgres behind a pooler in transaction mode', async () => {
  const { url, drop } = await createEmptyDatabase(pooler.url);
  const database = await openDatabase({ url });
  return {
    database,
    async remove() {
      await database.close();
      await drop();
    },
  };
});

test('behind a pooler, an empty database is migrated by one of several processes that start at once', async () => {
  const { url, drop } = await createEmptyDatabase(pooler.url);
  const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ url })));
  await Promise.all(databases.map((database) => database.migrate()));
  expect(await databases[0]?.check(2_000)).toEqual({ connected: true });
  await Promise.all(databases.map((database) => database.close()));
  await drop();
});

test('behind a pooler, the limits of the user end a long statement', async () => {
  const direct = await openDatabase({ url: postgres.url });
  await sql`create user limited superuser`.execute(direct.kysely);
  await sql`alter user limited set statement_timeout = '300ms'`.execute(direct.kysely);
  await direct.close();
  const database = await openDatabase({ url: pooler.url.replace('postgres@', 'limited@') });
  await expect(sql`select pg_sleep(5)`.execute(database.kysely)).rejects.toThrow('statement timeout');
  await database.close();
});

test('a pooler that rejects the limits of a connection says what to set', async () => {
  const strict = await startPgBouncer(new URL(postgres.url), []);
  const database = await openDatabase({ url: strict.url });
  expect(await database.check(2_000)).toEqual({
    connected: false,
    error: expect.stringMatching(/unsupported startup parameter.*Add statement_timeout.*ignore_startup_parameters/),
  });
  await database.close();
  await strict.stop();
});
