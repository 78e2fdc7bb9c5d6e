import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Results of comparing the ledger with vendors' bills; without an account, those of the installation's keys. */
export const reconciliations: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table reconciliations (
      id text primary key,
      account_id text references accounts (id) on delete cascade,
      vendor text not null,
      at timestamptz not null default now(),
      ratio double precision not null,
      result jsonb not null
    )`.execute(database);
    await sql`create index reconciliations_newest on reconciliations (account_id, vendor, at desc)`.execute(database);
  },
};
