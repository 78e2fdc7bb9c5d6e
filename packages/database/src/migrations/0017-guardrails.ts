import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What accounts and keys forbid in requests and answers. */
export const guardrails: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['accounts', 'api_keys']) {
      await database.schema.alterTable(table).addColumn('guardrails', 'jsonb').execute();
    }
  },
};
