import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Shares of a route are counted since its targets changed, not its conditions or description. */
export const sharesOfRoutes: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table routes add column shares_since timestamptz not null default now()`.execute(database);
    await sql`update routes set shares_since = updated_at`.execute(database);
  },
};
