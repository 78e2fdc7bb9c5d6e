import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Requests by hour and value of a measure: histograms of times and speeds, and errors by code. Rows of any hours can be
 * added up, so a percentile over a month is exact to the width of a bucket.
 */
export const usageTallies: Migration = {
  async up(database: Kysely<unknown>) {
    for (const table of ['usage_hours', 'usage_days']) {
      await sql`alter table ${sql.table(table)}
        add column abandoned bigint not null default 0, add column rescued bigint not null default 0`.execute(database);
    }
    await sql`create table usage_tallies (
      account_id text not null,
      at timestamptz not null,
      key_id text not null,
      model text not null,
      provider text not null,
      measure text not null,
      value text not null,
      requests bigint not null,
      primary key (account_id, at, key_id, model, provider, measure, value)
    )`.execute(database);
  },
};
