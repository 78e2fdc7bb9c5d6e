import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The failures of end users, and how long their answers took as a histogram. End users are in no release yet, so the sums
 * of earlier requests stay without them.
 */
export const endUserOutcomes: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['end_user_hours', 'end_user_days'])
      await sql`alter table ${sql.table(table)} add column failed bigint not null default 0,
        add column duration bigint[] not null default '{}'`.execute(database);
    await sql`create aggregate sum_histograms (bigint[]) (sfunc = add_histograms, stype = bigint[], initcond = '{}')`.execute(
      database,
    );
  },
};
