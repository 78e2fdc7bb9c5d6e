import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The service tier that a request asked and the one that was billed, and the tiers that a key may ask. */
export const serviceTiers: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table usage_records add column tier_asked text, add column tier text`.execute(database);
    await sql`alter table api_keys add column allowed_tiers jsonb`.execute(database);
  },
};
