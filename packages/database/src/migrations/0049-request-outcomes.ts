import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Indexes that find requests by what became of them: the failed ones, the refused ones, those whose client left, and those
 * with an attempt that failed, which also finds failovers. Ordinary requests are in none of them.
 */
export const indexesOfOutcomes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const index of indexes) await sql.raw(`create index ${index}`).execute(database);
  },
};

const indexes = [
  `usage_records_unanswered on usage_records (account_id, at) where end_reason not in ('done', 'refused', 'client_gone')`,
  `usage_records_refused on usage_records (account_id, at) where end_reason = 'refused'`,
  `usage_records_left on usage_records (account_id, at) where end_reason = 'client_gone'`,
  // Postgres estimates this condition from the statistics of the column, so that it uses the index where failures are rare.
  `usage_records_of_failed_attempts on usage_records (account_id, at)
    where attempts @? '$[*] ? (@.error != "none")'`,
];
