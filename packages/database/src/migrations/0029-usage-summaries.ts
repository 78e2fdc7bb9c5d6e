import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Sums and tallies of usage by one dimension, and the history of providers by day, so that pages about months read
 * hundreds of rows and not hundreds of thousands. Migration 0034 fills them. Indexes find rare requests: by the code of
 * their error, a status or an operation.
 */
export const usageSummaries: Migration = {
  async up(database: Kysely<unknown>) {
    for (const index of indexes) await sql.raw(`create index ${index}`).execute(database);
    for (const unit of ['hours', 'days']) await createUsageSummary(database, unit);
    for (const unit of ['hours', 'days']) await createTallySummary(database, unit);
    await createProviderSummaries(database);
    for (const index of indexesOfSummaries) await sql.raw(`create index ${index}`).execute(database);
  },
};

const indexes = [
  'usage_records_by_error on usage_records (account_id, error, at) where error is not null',
  `usage_records_by_status on usage_records (account_id, status, at) where status <> 200`,
  `usage_records_by_operation on usage_records (account_id, operation, at) where operation <> 'chat'`,
  'usage_tallies_of_key on usage_tallies (key_id, at)',
  'audit_log_of_subject on audit_log (account_id, subject, id)',
  'audit_log_of_actor on audit_log (account_id, actor, id)',
  `audit_log_of_address on audit_log (account_id, (detail ->> 'address') text_pattern_ops, id)`,
];

/** Of providers as a whole; of applications, which are few, to find those of a user; and of a key, of which there are many. */
const indexesOfSummaries = [
  `offer_days_of_providers on offer_days (at) where model = ''`,
  `usage_summary_days_of_applications on usage_summary_days (account_id, value)
    where dimension = 'key' and starts_with(value, 'oauth_')`,
  `usage_summary_days_of_key on usage_summary_days (account_id, value, at) where dimension = 'key'`,
];

async function createUsageSummary(database: Kysely<unknown>, unit: string): Promise<void> {
  const table = `usage_summary_${unit}`;
  const of = `usage_${unit}`;
  await sql
    .raw(`create table ${table} (like ${of} including defaults, dimension text not null, value text not null)`)
    .execute(database);
  await sql
    .raw(`alter table ${table} drop column key_id, drop column model, drop column provider,
      add primary key (account_id, dimension, at, value, own_key)`)
    .execute(database);
}

async function createTallySummary(database: Kysely<unknown>, unit: string): Promise<void> {
  await sql
    .raw(`create table tally_summary_${unit} (
      account_id text not null,
      dimension text not null,
      measure text not null,
      at timestamptz not null,
      name text not null,
      value text not null,
      requests bigint not null,
      primary key (account_id, dimension, name, at, measure, value)
    )`)
    .execute(database);
}

/** A row of a provider as a whole has no model. */
async function createProviderSummaries(database: Kysely<unknown>): Promise<void> {
  const counts = 'attempts bigint not null, failed bigint not null, rescued bigint not null';
  await sql
    .raw(`create table provider_hours (at timestamptz not null, provider text not null, ${counts},
      primary key (at, provider))`)
    .execute(database);
  await sql
    .raw(`create table offer_days (at timestamptz not null, provider text not null, model text not null, ${counts},
      primary key (provider, model, at))`)
    .execute(database);
}
