import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The service tiers that requests of a project's keys may ask for. */
export const projectTiers: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table projects add column allowed_tiers jsonb`.execute(database);
  },
};
