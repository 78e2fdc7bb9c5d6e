import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The place of a provider key among those of its provider. Null for keys that were never ordered: they are last. */
export const providerKeyOrder: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table provider_keys add column position integer`.execute(database);
  },
};
