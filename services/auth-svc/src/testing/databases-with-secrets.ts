import { rm } from 'node:fs/promises';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase, preparedDirectory } from '@tallyport/database/testing';
import { createSecrets, ensureDefaultAccount, generateMasterKey, type Secrets } from '@tallyport/management-server';

export interface OpenedWithSecrets {
  tools: { database: Database; secrets: Secrets };
  /** The data directory; absent with Postgres. */
  directory?: string;
  close(): Promise<void>;
}

/** Opens each kind of database with the default account and a master key. */
export const databasesWithSecrets = [
  ['Postgres', openPostgres],
  ['the embedded database', openEmbedded],
] as const;

async function openPostgres(): Promise<OpenedWithSecrets> {
  const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
  const database = await openDatabase({ url });
  const tools = await openIn(database, { DATABASE_URL: url, DATA_DIR: '/nowhere' });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { tools, close };
}

async function openEmbedded(): Promise<OpenedWithSecrets> {
  const directory = await preparedDirectory();
  const database = await openDatabase({ directory });
  const tools = await openIn(database, { DATABASE_URL: undefined, DATA_DIR: directory });
  const close = async () => {
    await database.close();
    await rm(directory, { recursive: true });
  };
  return { tools, directory, close };
}

async function openIn(database: Database, sources: { DATABASE_URL: string | undefined; DATA_DIR: string }) {
  await database.migrate();
  await ensureDefaultAccount(database);
  const SECRETS_KEY = sources.DATABASE_URL === undefined ? undefined : [generateMasterKey()];
  const secrets = createSecrets({ ...sources, SECRETS_KEY });
  await secrets.prepare(database);
  return { database, secrets };
}
