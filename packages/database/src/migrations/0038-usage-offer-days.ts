import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { summarizeOffers } from './summaries.ts';

/**
 * Sums of usage by day, model and provider, for the models of a provider and the providers of a model: a fraction of the
 * rows that also name the key. Indexes find the hours of one provider's offers, and the days of a few models, providers,
 * keys or projects.
 */
export const usageOfferDays: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of indexes) await sql.raw(statement).execute(database);
    await sql`create table usage_offer_days (like usage_days including defaults)`.execute(database);
    await sql`alter table usage_offer_days drop column key_id,
      add primary key (account_id, at, model, provider, own_key)`.execute(database);
    await summarizeOffers(database);
    for (const table of updatedOften)
      await sql`alter table ${sql.table(table)} set (fillfactor = 80)`.execute(database);
    await sql.raw(histogramOf).execute(database);
    // Its keys are in the new index. Last, because it keeps readers away until the migration ends.
    await sql`drop index usage_summary_days_of_key`.execute(database);
  },
};

const indexes = [
  'create index offer_hours_of_provider on offer_hours (provider, at)',
  'create index usage_summary_days_of_value on usage_summary_days (account_id, dimension, value, at)',
];

/** Room on their new pages keeps a row's next version beside it, without new entries in indexes. */
const updatedOften = [
  'usage_hours',
  'usage_days',
  'usage_summary_hours',
  'usage_summary_days',
  'usage_summary_weeks',
  'usage_offer_days',
  'offer_hours',
  'offer_days',
];

/** As in 0034, but faster for one bucket, which most histograms have that are added. */
const histogramOf = `create or replace function histogram_of(buckets integer[], counts bigint[]) returns bigint[]
  language plpgsql immutable strict as $$
  declare histogram bigint[] := '{}';
  begin
    if cardinality(buckets) = 1 then return array_fill(counts[1], array[1], array[buckets[1]]); end if;
    for at in 1 .. cardinality(buckets) loop
      histogram[buckets[at]] := coalesce(histogram[buckets[at]], 0) + counts[at];
    end loop;
    return histogram;
  end $$`;
