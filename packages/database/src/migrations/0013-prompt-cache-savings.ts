import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What tokens from the prompt caches of providers saved; unknown for records written before. */
export const promptCacheSavings: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['usage_records', 'usage_hours', 'usage_days']) {
      await sql`alter table ${sql.table(table)}
        add column prompt_cache_savings numeric(27, 15) not null default 0`.execute(database);
    }
  },
};
