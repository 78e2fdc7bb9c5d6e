import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * At its start and every hour, the ledger deletes the sums before a date. Without these indexes it reads the whole index of
 * another column to find that there are none, which takes longer than a statement may on a busy machine with many of them.
 */
export const usageTimes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['usage_hours', 'usage_tallies', 'project_hours', 'project_tallies', 'offer_days'])
      await sql`create index ${sql.table(`${table}_of_time`)} on ${sql.table(table)} (at)`.execute(database);
  },
};
