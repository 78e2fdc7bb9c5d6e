import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The last four characters of the secret that signs an alert's webhook; null where they were not kept yet. */
export const alertSecrets: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table alerts add column webhook_last_four text`.execute(database);
  },
};
