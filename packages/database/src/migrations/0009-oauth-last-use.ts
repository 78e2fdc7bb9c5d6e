import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The time of last use of OAuth clients, as for keys. */
export const oauthLastUse: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('oauth_records').addColumn('last_used_at', 'timestamptz').execute();
  },
};
