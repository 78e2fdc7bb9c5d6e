import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Files of clients, whose contents are in a storage. The row is there before the content and until it is removed, so that
 * none is forgotten. The key of a content is among the secrets, under the id of its file.
 */
export const files: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('files')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('project_id', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('filename', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('purpose', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('media_type', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('expires_at', 'timestamptz')
      .addColumn('sweep_at', 'timestamptz')
      .execute();
    await sql`create index files_of_account on files (account_id, created_at desc, id desc)`.execute(database);
    await sql`create index files_to_sweep on files (sweep_at) where sweep_at is not null`.execute(database);
  },
};
