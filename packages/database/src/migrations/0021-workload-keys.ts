import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys for minutes that workloads got in exchange for a token. Their settings are those of their rule. */
export const workloadKeys: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table workload_keys (
      key_hash text primary key,
      rule text not null,
      subject text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(database);
    await sql`create index workload_keys_expiry on workload_keys (expires_at)`.execute(database);
  },
};
