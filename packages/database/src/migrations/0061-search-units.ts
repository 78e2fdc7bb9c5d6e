import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addUsageCount } from './add-usage-count.ts';

/** Some rerankers are billed by the search, with up to 100 documents. */
export const searchUnits: Migration = {
  async up(database: Kysely<unknown>) {
    await addUsageCount(database, 'search_units');
  },
};
