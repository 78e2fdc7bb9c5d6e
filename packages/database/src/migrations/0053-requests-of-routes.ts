import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds the newest requests that asked for a named route. Other requests are not in the index. */
export const requestsOfRoutes: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create index usage_records_of_route on usage_records (account_id, (details #>> '{route,name}'), at)
      where details #>> '{route,name}' is not null`.execute(database);
  },
};
