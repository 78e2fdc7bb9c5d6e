import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Until when services do not ask a webhook that failed, and why. */
export const guardWebhookPauses: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table guard_webhooks
      add column paused_until timestamptz,
      add column problem text`.execute(database);
  },
};
