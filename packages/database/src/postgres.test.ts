import { afterAll, describe, expect, it } from 'vitest';
import { startPostgres } from '../../../tests/support/servers.ts';
import { describeDatabase } from './database.suite.ts';
import { openDatabase, sql } from './index.ts';
import { migrations } from './migrations/index.ts';
import { createEmptyDatabase } from './testing/index.ts';

const given = process.env['TEST_DATABASE_URL'];
const own = given ? undefined : await startPostgres();
const serverUrl = given || (own?.url ?? '');
afterAll(() => own?.stop());

describeDatabase('Postgres', async () => {
  const { url, drop } = await createEmptyDatabase(serverUrl);
  const database = await openDatabase({ url });
  const remove = async () => {
    await database.close();
    await drop();
  };
  return { database, remove };
});

describe('Postgres, empty', () => {
  it('is migrated by one of several processes that start at once, while the others wait', async () => {
    const { url, drop } = await createEmptyDatabase(serverUrl);
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ url })));
    await Promise.all(databases.map((database) => database.migrate()));
    const [database] = databases;
    const done = await sql<{ name: string }>`select name from kysely_migration`.execute(database!.kysely);
    expect(done.rows.map(({ name }) => name)).toEqual(Object.keys(migrations));
    await Promise.all(databases.map((opened) => opened.close()));
    await drop();
  });
});
