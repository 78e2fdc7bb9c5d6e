import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who has answered the lines of a batch, at which price, and what that saved. */
export const answersOfBatches: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table batches add column answered_by jsonb not null default '[]'`.execute(database);
  },
};
