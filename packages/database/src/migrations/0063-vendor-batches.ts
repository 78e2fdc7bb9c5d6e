import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Batches at vendors, each with lines of one part. The row is older than the batch, which can be found by its id. */
export const vendorBatches: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table vendor_batches (
      id text primary key,
      batch_id text not null references batches (id) on delete cascade,
      part integer not null,
      provider text not null,
      model text not null,
      key text not null,
      endpoint text not null,
      lines jsonb not null,
      state text not null,
      vendor_id text,
      opened_at timestamptz not null default now()
    )`.execute(database);
    await sql`create index vendor_batches_of_part on vendor_batches (batch_id, part)`.execute(database);
    await sql`create index vendor_batches_open on vendor_batches (batch_id) where state <> 'over'`.execute(database);
  },
};
