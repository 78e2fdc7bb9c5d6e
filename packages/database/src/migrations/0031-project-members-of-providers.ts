import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The identity provider whose claims decide about a membership of a project; null for those made by hand. */
export const projectMembersOfProviders: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table project_members add column identity_provider text`.execute(database);
  },
};
