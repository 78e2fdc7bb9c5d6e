import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const catalogueOverrides: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('catalogue_overrides')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('value', 'jsonb', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
      .addPrimaryKeyConstraint('catalogue_overrides_name', ['kind', 'id'])
      .addCheckConstraint('catalogue_overrides_kind_is_known', sql`kind in ('model', 'provider')`)
      .execute();
  },
};
