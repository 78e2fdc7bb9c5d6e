import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** State of the OAuth server: clients, grants, codes, tokens and sign-ins in progress. */
export const oauth: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('oauth_records')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('payload', 'jsonb', (column) => column.notNull())
      .addColumn('grant_id', 'text')
      .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('expires_at', 'timestamptz')
      .addColumn('consumed_at', 'timestamptz')
      .addPrimaryKeyConstraint('oauth_records_name', ['model', 'id'])
      .execute();
    for (const column of ['id', 'grant_id', 'account_id', 'user_id', 'expires_at']) {
      await database.schema.createIndex(`oauth_records_${column}`).on('oauth_records').column(column).execute();
    }
  },
};
