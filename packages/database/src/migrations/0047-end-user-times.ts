import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Every hour, the sums before a date are moved or deleted. */
export const endUserTimes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['end_user_hours', 'end_user_days'])
      await sql`create index ${sql.table(`${table}_of_time`)} on ${sql.table(table)} (at)`.execute(database);
  },
};
