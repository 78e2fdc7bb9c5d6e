import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What an operator marks an account with, for the conditions of routes. */
export const accountTags: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table accounts add column tags jsonb`.execute(database);
  },
};
