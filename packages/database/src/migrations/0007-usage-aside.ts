import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Entries of the usage journal that auth-svc could not write down, byte for byte, named by what is in them. */
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
