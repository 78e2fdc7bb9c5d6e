import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the body of an alert's webhook is: null for the signed one, `slack` or `teams`. */
export const alertWebhookFormats: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table alerts add column webhook_format text`.execute(database);
  },
};
