import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../open-database.ts';
import { schemaVersion } from './schema-version.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Creates a database as after its first migration, so that tests do not affect each other. It is copied from a template,
 * made once per server and schema, because that takes a tenth of the time of all migrations.
 */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  return create(serverUrl, await ensureTemplate(serverUrl));
}

/** Creates a database without a schema, for tests of migrations. */
export const createEmptyDatabase = (serverUrl: string): Promise<TestDatabase> => create(serverUrl, 'template1');

async function create(serverUrl: string, template: string): Promise<TestDatabase> {
  const name = `tallyport_test_${randomBytes(6).toString('hex')}`;
  await ask(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await ask(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function ensureTemplate(serverUrl: string): Promise<string> {
  const template = `tallyport_template_${schemaVersion()}`;
  const exists = async () => (await ask(serverUrl, `select from pg_database where datname = '${template}'`)) > 0;
  if (await exists()) return template;

  const unfinished = await createEmptyDatabase(serverUrl);
  const database = await openDatabase({ url: unfinished.url });
  await database.migrate();
  await database.close();
  const name = new URL(unfinished.url).pathname.slice(1);
  try {
    await ask(serverUrl, `alter database ${name} rename to ${template}`);
  } catch (error) {
    await unfinished.drop();
    // If another test was faster, its template is used.
    if (!(await exists())) throw error;
  }
  return template;
}

/** Runs a statement over a connection of its own, and resolves with the number of rows. */
async function ask(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query(statement);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}
