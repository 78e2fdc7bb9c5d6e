import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const providerKeys: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('secrets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .execute();
    await database.schema.createIndex('secrets_key_id').on('secrets').columns(['key_id', 'id']).execute();
    await database.schema.createIndex('secrets_account_id').on('secrets').column('account_id').execute();

    await database.schema
      .createTable('provider_keys')
      // A key is useless without its secret, so both are deleted together.
      .addColumn('id', 'text', (column) => column.primaryKey().references('secrets.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('last_four', 'text', (column) => column.notNull())
      .addColumn('enabled', 'boolean', (column) => column.notNull().defaultTo(true))
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();
    await database.schema
      .createIndex('provider_keys_account_id')
      .on('provider_keys')
      .columns(['account_id', 'created_at', 'id'])
      .execute();
  },
};
