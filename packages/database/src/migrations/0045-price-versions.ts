import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The prices of each version of the catalogue that was in force, so that those of a record can be found again. Most
 * versions differ in something else, and share a list.
 */
export const priceVersions: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table price_lists (id text primary key, prices jsonb not null)`.execute(database);
    await sql`create table price_versions (
      version text primary key,
      list text not null references price_lists (id),
      since timestamptz not null default now(),
      seen_at timestamptz not null default now()
    )`.execute(database);
  },
};
