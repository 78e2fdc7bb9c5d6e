import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Allows several users with one e-mail address: addresses are not verified, so the first user of one must not lock
 * others out. `email` stays unique for earlier releases; it is a generated value where `shared_email` is set.
 */
export const sharedEmails: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('users').addColumn('shared_email', 'text').execute();
    await sql`alter table users add constraint users_shared_email_is_lower_case
      check (shared_email = lower(shared_email))`.execute(database);
    await database.schema.createIndex('users_shared_email').on('users').column('shared_email').execute();
  },
};
