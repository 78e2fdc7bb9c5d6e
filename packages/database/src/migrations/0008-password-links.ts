import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Links for setting a new password, each valid for one use. */
export const passwordLinks: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('password_links')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
      .execute();
  },
};
