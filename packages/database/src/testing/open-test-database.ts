import { rm } from 'node:fs/promises';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { preparedDirectory } from './prepared-directory.ts';
import { createTestDatabase } from './test-database.ts';

export interface OpenTestDatabase {
  database: Database;
  /** Call it when the database is closed. */
  remove(): Promise<void>;
}

/** Opens a database of its own, for suites that pass on both kinds. */
export const testDatabases = {
  async postgres(): Promise<OpenTestDatabase> {
    const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    return { database: await openDatabase({ url }), remove: drop };
  },
  async embedded(): Promise<OpenTestDatabase> {
    const directory = await preparedDirectory();
    return { database: await openDatabase({ directory }), remove: () => rm(directory, { recursive: true }) };
  },
};

/** Opens a migrated Postgres of its own. `close` also removes it. */
export async function openMigrated(): Promise<{ database: Database; close(): Promise<void> }> {
  const { database, remove } = await testDatabases.postgres();
  await database.migrate();
  return {
    database,
    async close() {
      await database.close();
      await remove();
    },
  };
}
