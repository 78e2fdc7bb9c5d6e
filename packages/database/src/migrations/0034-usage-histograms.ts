import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { summarize } from './summaries.ts';

/**
 * Sums of usage by week, and times as one histogram for each hour, day and week, so that a page about ninety days reads
 * twelve weeks and a few days, and one row instead of one for each bucket. The summaries of tallies keep the errors.
 */
export const usageHistograms: Migration = {
  async up(database: Kysely<unknown>) {
    for (const create of [histogramOf, addHistograms]) await sql.raw(create).execute(database);
    await sql`create table usage_summary_weeks (like usage_summary_days including defaults,
      primary key (account_id, dimension, at, value, own_key))`.execute(database);
    for (const unit of ['hours', 'days', 'weeks']) await createUsageHistograms(database, unit);
    await sql`create table offer_histogram_days (provider text not null, model text not null, at timestamptz not null,
      latency bigint[] not null, primary key (provider, model, at)) with (fillfactor = 70)`.execute(database);
    await sql`create index offer_histogram_days_of_providers on offer_histogram_days (at) where model = ''`.execute(
      database,
    );
    // It was part of 0029 for a while.
    await sql`drop table if exists offer_latency_days`.execute(database);
    for (const table of ['provider_hours', 'offer_days'])
      await sql`alter table ${sql.table(table)} add column own_attempts bigint not null default 0,
        add column own_failed bigint not null default 0`.execute(database);
    for (const unit of ['hours', 'weeks'])
      await sql
        .raw(`create index usage_summary_${unit}_of_key on usage_summary_${unit} (account_id, value, at)
          where dimension = 'key'`)
        .execute(database);
    for (const table of expiring) await sql.raw(`create index ${table}_at on ${table} (at)`).execute(database);
    await summarize(database);
  },
};

/** Old rows of these are deleted every hour. */
const expiring = [
  'usage_summary_hours',
  'tally_summary_hours',
  'tally_summary_days',
  'usage_histogram_hours',
  'usage_histogram_days',
  'usage_histogram_weeks',
  'offer_histogram_days',
];

/** The subscript of a histogram is the number of the bucket; it begins at the first one with a value. */
const histogramOf = `create function histogram_of(buckets integer[], counts bigint[]) returns bigint[]
  language plpgsql immutable strict as $$
  declare histogram bigint[] := '{}';
  begin
    for at in 1 .. cardinality(buckets) loop
      histogram[buckets[at]] := coalesce(histogram[buckets[at]], 0) + counts[at];
    end loop;
    return histogram;
  end $$`;

const addHistograms = `create function add_histograms(histogram bigint[], other bigint[]) returns bigint[]
  language plpgsql immutable as $$
  begin
    for bucket in coalesce(array_lower(other, 1), 1) .. coalesce(array_upper(other, 1), 0) loop
      if other[bucket] <> 0 then histogram[bucket] := coalesce(histogram[bucket], 0) + other[bucket]; end if;
    end loop;
    return histogram;
  end $$`;

/**
 * Columns that a dimension does not have are empty. The dimension `use` has key, model and provider, and `project_use` the
 * project as well. Rows are updated often, so that pages have room for their new versions.
 */
async function createUsageHistograms(database: Kysely<unknown>, unit: string): Promise<void> {
  const table = `usage_histogram_${unit}`;
  await sql
    .raw(`create table ${table} (
      account_id text not null,
      dimension text not null,
      at timestamptz not null,
      key_id text not null,
      model text not null,
      provider text not null,
      project_id text not null,
      duration bigint[] not null,
      first_byte bigint[] not null,
      speed bigint[] not null,
      primary key (account_id, dimension, at, key_id, model, provider, project_id)
    ) with (fillfactor = 70)`)
    .execute(database);
  await sql
    .raw(`create index ${table}_of_key on ${table} (account_id, key_id, at) where dimension = 'use'`)
    .execute(database);
}
