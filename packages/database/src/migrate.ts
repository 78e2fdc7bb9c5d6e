import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import type { Schema } from './schema.ts';
import { isUnavailable } from './unavailable.ts';

type Migrations = Readonly<Record<string, Migration>>;

/** Suffix of a migration that removes or changes what the previous release uses. All others only add. */
const breakingEnd = '-breaking';

/**
 * Brings the schema up to the last of `migrations`; of several processes, one migrates and the others wait. Resolves
 * with the migrations of a newer version that have already run and are compatible. Rejects without a change if one of
 * them is breaking.
 */
export async function migrateToLatest(kysely: Kysely<Schema>, migrations: Migrations): Promise<readonly string[]> {
  const newer = await unknownMigrations(kysely, migrations);
  const { error, results } = await migrateAmong(kysely, migrations, newer);
  if (error === undefined) return newer;
  if (isUnavailable(error)) throw error;

  const unknown = await unknownMigrations(kysely, migrations);
  // A newer version has migrated at the same time.
  if (unknown.length > newer.length) return migrateToLatest(kysely, migrations);
  if (unknown.length > 0) throw newerSchema(unknown, error);

  const failed = results?.find((result) => result.status === 'Error');
  if (failed === undefined) throw error;
  throw new Error(`The migration ${failed.migrationName} failed and was rolled back.`, { cause: error });
}

async function migrateAmong(kysely: Kysely<Schema>, migrations: Migrations, newer: readonly string[]) {
  const breaking = newer.filter((name) => name.endsWith(breakingEnd));
  if (breaking.length > 0) throw newerSchema(breaking);
  const known = { ...migrations, ...Object.fromEntries(newer.map((name) => [name, hasRun])) };
  return inLockedTransaction(kysely, (transaction) =>
    new Migrator({ db: transaction, provider: { getMigrations: async () => known } }).migrateToLatest(),
  );
}

/** The number that the migrator itself uses, as older versions do. */
const migrationLock = 3_853_314_791_062_309_107n;

/** The lock ends with the transaction, so it also works behind a pooler that lends a connection per transaction. */
async function inLockedTransaction(
  kysely: Kysely<Schema>,
  migrate: (transaction: Kysely<Schema>) => Promise<MigrationResultSet>,
): Promise<MigrationResultSet> {
  let outcome: MigrationResultSet = {};
  await kysely
    .transaction()
    .execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction);
      outcome = await migrate(transaction);
      if (outcome.error !== undefined) throw outcome.error;
    })
    .catch((error: unknown) => {
      outcome = { error, ...outcome };
    });
  return outcome;
}

/** A placeholder for a migration that this version does not have and need not run. */
const hasRun: Migration = { up: () => Promise.resolve() };

async function unknownMigrations(kysely: Kysely<Schema>, migrations: Migrations): Promise<string[]> {
  const { rows: found } = await sql`select 1 where to_regclass('kysely_migration') is not null`.execute(kysely);
  if (found.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(kysely);
  return rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name));
}

const newerSchema = (unknown: readonly string[], cause?: unknown): Error =>
  new Error(
    `The database was upgraded by a newer Tallyport (migration ${unknown.join(', ')}). Start that version again, or restore a backup made before the upgrade.`,
    cause === undefined ? undefined : { cause },
  );
