import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Schema } from './schema.ts';
import { isUnavailable } from './unavailable.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings the schema up to the last of `migrations`; when several processes come at once, one works and the others wait.
 * Throws, and changes nothing, when the database knows migrations this code does not.
 */
export async function migrateToLatest(kysely: Kysely<Schema>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (isUnavailable(error)) throw error;

  const unknown = await unknownMigrations(kysely, migrations);
  if (unknown.length > 0) throw newerSchema(unknown, error);

  const failed = results?.find((result) => result.status === 'Error');
  if (failed === undefined) throw error;
  throw new Error(`The migration ${failed.migrationName} failed and was undone as a whole.`, { cause: error });
}

async function unknownMigrations(kysely: Kysely<Schema>, migrations: Migrations): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(kysely);
  return rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name));
}

const newerSchema = (unknown: string[], cause: unknown): Error =>
  new Error(
    `The database was upgraded by a newer Switchyard (it knows ${unknown.join(', ')}): start that version again, or restore a backup made before the upgrade.`,
    { cause },
  );
