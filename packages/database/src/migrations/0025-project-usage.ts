import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The project of each record, and the sums and tallies of projects. They are tables of their own, because the release
 * before adds to the rows of `usage_hours`, which a project would make ambiguous. Without projects they stay empty.
 */
export const projectUsage: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table usage_records add column project_id text`.execute(database);
    await sql`create index usage_records_of_project on usage_records (project_id, at) where project_id is not null`.execute(
      database,
    );
    await copyOf(database, { table: 'project_hours', of: 'usage_hours', key: [...place, 'own_key'] });
    await copyOf(database, { table: 'project_days', of: 'usage_days', key: [...place, 'own_key'] });
    await copyOf(database, { table: 'project_tallies', of: 'usage_tallies', key: [...place, 'measure', 'value'] });
  },
};

const place = ['project_id', 'at', 'key_id', 'model', 'provider'];

/** A table with the columns of another one and the project. */
async function copyOf(
  database: Kysely<unknown>,
  { table, of, key }: { table: string; of: string; key: readonly string[] },
): Promise<void> {
  await sql`create table ${sql.table(table)} (like ${sql.table(of)} including defaults, project_id text not null)`.execute(
    database,
  );
  await sql.raw(`alter table ${table} add primary key (${key.join(', ')})`).execute(database);
  await sql.raw(`create index ${table}_of_account on ${table} (account_id, at)`).execute(database);
}
