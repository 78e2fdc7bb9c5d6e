import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds the entries of an account between two times. */
export const auditByTime: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create index audit_log_of_time on audit_log (account_id, at)`.execute(database);
  },
};
