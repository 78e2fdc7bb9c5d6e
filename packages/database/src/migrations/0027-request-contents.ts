import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Prompts and answers of accounts that keep them, encrypted. Partitioned by the day on which they expire, so that they are
 * deleted by dropping a table.
 */
export const requestContents: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`alter table accounts add column content_log jsonb`.execute(database);
    await sql`create table request_contents (
      id text not null,
      account_id text not null,
      at timestamptz not null default now(),
      expires_on date not null,
      content_key text not null,
      sealed text not null,
      primary key (expires_on, id)
    ) partition by range (expires_on)`.execute(database);
    await sql`create index request_contents_by_id on request_contents using hash (id)`.execute(database);
    await sql`create index request_contents_of_account on request_contents (account_id, at)`.execute(database);
  },
};
