import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The calls with keys of accounts, which the public status page leaves out. */
export const offerHoursOwn: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table offer_hours
      add column own_attempts bigint not null default 0,
      add column own_failed bigint not null default 0`.execute(database);
  },
};
