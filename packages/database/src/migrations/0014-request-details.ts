import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How each request ended and what else is known about it, with the indexes that find requests: newest first by key,
 * model or provider, those with an error, and single ones by either id. Hash indexes are half the size of others.
 */
export const requestDetails: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table usage_records
      add column status bigint, add column error text, add column details jsonb`.execute(database);
    for (const table of ['usage_hours', 'usage_days']) {
      await sql`alter table ${sql.table(table)} add column refused bigint not null default 0`.execute(database);
    }
    for (const index of indexes) await sql.raw(`create index ${index}`).execute(database);
  },
};

const indexes = [
  'usage_records_of_key on usage_records (key_id, at)',
  'usage_records_of_model on usage_records (account_id, model, at)',
  'usage_records_of_provider on usage_records (account_id, provider, at)',
  'usage_records_failed on usage_records (account_id, at) where error is not null',
  'usage_records_by_id on usage_records using hash (id)',
  'usage_records_by_request_id on usage_records using hash (request_id)',
];
