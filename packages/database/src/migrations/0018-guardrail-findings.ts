import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What guardrails did to a request and its answer; null for records without findings. */
export const guardrailFindings: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table usage_records add column guardrails jsonb`.execute(database);
  },
};
