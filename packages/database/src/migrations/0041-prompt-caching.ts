import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether prompts are marked for the caches of vendors; null for a key that follows its account, and for off. */
export const promptCaching: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['accounts', 'api_keys']) {
      await database.schema.alterTable(table).addColumn('prompt_caching', 'text').execute();
    }
  },
};
