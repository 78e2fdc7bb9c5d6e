import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Usage and cost. Single records are partitioned by month, so that old ones are deleted by dropping a table; sums by
 * hour and day answer queries without adding up records. There are no foreign keys, because records outlive their key.
 */
export const ledger: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`create table usage_records (
      id text not null,
      at timestamptz not null,
      request_id text not null,
      account_id text not null,
      key_id text not null,
      operation text not null,
      requested_model text not null,
      model text not null,
      provider text not null,
      attempts jsonb not null,
      ${sql.raw(tokenColumns)},
      images bigint not null,
      cost numeric(27, 15),
      costs jsonb not null,
      price_version text not null,
      source text not null,
      flags jsonb not null,
      own_key boolean not null,
      cached boolean not null,
      stream boolean not null,
      duration_ms double precision not null,
      first_byte_ms double precision,
      end_reason text not null,
      primary key (at, id)
    ) partition by range (at)`.execute(database);
    await sql`create index usage_records_of_account on usage_records (account_id, at)`.execute(database);
    for (const table of ['usage_hours', 'usage_days']) {
      await sql`create table ${sql.table(table)} (
        account_id text not null,
        at timestamptz not null,
        key_id text not null,
        model text not null,
        provider text not null,
        own_key boolean not null,
        requests bigint not null,
        failed bigint not null,
        cached bigint not null,
        unpriced bigint not null,
        ${sql.raw(tokenColumns)},
        images bigint not null,
        cost numeric(27, 15) not null,
        duration_ms double precision not null,
        primary key (account_id, at, key_id, model, provider, own_key)
      )`.execute(database);
      await sql`create index ${sql.ref(`${table}_of_key`)} on ${sql.table(table)} (key_id, at)`.execute(database);
    }
  },
};

const tokenColumns = ['input', 'cache_read', 'cache_write', 'output', 'reasoning', 'image_in', 'image_out']
  .map((name) => `${name}_tokens bigint not null`)
  .join(', ');
