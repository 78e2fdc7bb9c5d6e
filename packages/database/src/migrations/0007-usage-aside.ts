import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Entries of the usage journal that auth-svc could not store as records, byte for byte, keyed by their hash. */
export const usageAside: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('usage_aside')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addColumn('entry', 'bytea', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
  },
};
