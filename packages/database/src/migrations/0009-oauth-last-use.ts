import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When OAuth clients were last used, as with keys. */
export const oauthLastUse: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('oauth_records').addColumn('last_used_at', 'timestamptz').execute();
  },
};
