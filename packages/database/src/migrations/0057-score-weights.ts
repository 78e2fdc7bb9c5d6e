import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How an account weighs the factors of a score; null where the operator's weights count. */
export const scoreWeights: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table accounts add column score_weights jsonb`.execute(database);
  },
};
