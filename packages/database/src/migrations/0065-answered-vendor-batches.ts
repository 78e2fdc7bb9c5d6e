import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a batch of a vendor was first seen to be over: the time of the records of its lines, however often they are settled. */
export const answeredVendorBatches: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table vendor_batches add column answered_at timestamptz`.execute(database);
  },
};
