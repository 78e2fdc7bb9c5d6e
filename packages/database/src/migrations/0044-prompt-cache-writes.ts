import { type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addUsageColumns } from './add-usage-count.ts';

/** What writing to the prompt caches of providers cost more than input, and the tokens that could have been read from them. */
export const promptCacheWrites: Migration = {
  async up(database: Kysely<unknown>) {
    await addUsageColumns(database, { prompt_cache_surcharge: 'numeric(27, 15)', cacheable_tokens: 'bigint' });
  },
};
