import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Routes of accounts, and the version of them that callers carry: null without routes. */
export const routes: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('routes')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('definition', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addPrimaryKeyConstraint('routes_account_id_name', ['account_id', 'name'])
      .execute();
    await sql`alter table accounts add column routes_version text`.execute(database);
  },
};
