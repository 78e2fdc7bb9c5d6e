import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const accountsAndKeys: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .execute();

    await database.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('expires_at', 'timestamptz')
      .addColumn('revoked_at', 'timestamptz')
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('allowed_models', 'jsonb')
      .addColumn('allowed_providers', 'jsonb')
      .addCheckConstraint('api_keys_key_hash_is_sha256', sql`key_hash ~ '^[0-9a-f]{64}$'`)
      .execute();

    await database.schema.createIndex('api_keys_account_id').on('api_keys').column('account_id').execute();
  },
};
