import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When provider keys were last used, when they last worked, and how they last failed. */
export const providerKeyUses: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table provider_keys
      add column last_used_at timestamptz,
      add column last_worked_at timestamptz,
      add column last_error text,
      add column last_error_at timestamptz`.execute(database);
  },
};
