import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Batches that vendors could not open in a moment of trouble are opened again: how often it was tried, and when it is next. */
export const reopenedVendorBatches: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table vendor_batches
      add column tries integer not null default 0,
      add column open_at timestamptz`.execute(database);
  },
};
