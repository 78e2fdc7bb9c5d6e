import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Batches of requests. A part is a piece of the input, which one replica has at a time. The result of a line is kept, sealed
 * under the key of its batch, until the files of results are written.
 */
export const batches: Migration = {
  async up(database: Kysely<unknown>) {
    await addBatches(database);
    await addParts(database);
    await addLines(database);
  },
};

async function addBatches(database: Kysely<unknown>): Promise<void> {
  await sql`create table batches (
    id text primary key,
    account_id text not null references accounts (id),
    project_id text,
    key_id text not null,
    api text not null,
    endpoint text not null,
    headers jsonb not null,
    metadata jsonb,
    state text not null,
    ending text,
    errors jsonb,
    input_file_id text not null,
    output_file_id text,
    error_file_id text,
    output_expires_seconds integer,
    model text,
    total integer not null default 0,
    completed integer not null default 0,
    failed integer not null default 0,
    input_tokens bigint not null default 0,
    cached_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    reasoning_tokens bigint not null default 0,
    cost numeric(27, 15) not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    in_progress_at timestamptz,
    cancelling_at timestamptz,
    finalizing_at timestamptz,
    ended_at timestamptz,
    holder text,
    lease_until timestamptz,
    claimed_at timestamptz not null default now()
  )`.execute(database);
  await sql`create index batches_of_account on batches (account_id, created_at desc, id desc)`.execute(database);
  await sql`create index batches_to_do on batches (state) where ended_at is null`.execute(database);
  await sql`create index batches_of_file on batches (input_file_id) where ended_at is null`.execute(database);
  await sql`create index batches_ended on batches (ended_at) where ended_at is not null`.execute(database);
}

async function addParts(database: Kysely<unknown>): Promise<void> {
  await sql`create table batch_parts (
    batch_id text not null references batches (id) on delete cascade,
    number integer not null,
    start_byte bigint not null,
    end_byte bigint not null,
    first_line integer not null,
    last_line integer not null,
    lines integer not null,
    done boolean not null default false,
    tries integer not null default 0,
    not_before timestamptz not null default now(),
    holder text,
    lease_until timestamptz,
    primary key (batch_id, number)
  )`.execute(database);
  await sql`create index batch_parts_to_do on batch_parts (batch_id, tries, number) where not done`.execute(database);
}

async function addLines(database: Kysely<unknown>): Promise<void> {
  await sql`create table batch_lines (
    batch_id text not null references batches (id) on delete cascade,
    line integer not null,
    custom_id text not null,
    outcome text not null,
    status integer not null,
    request_id text not null,
    result bytea not null,
    primary key (batch_id, line)
  )`.execute(database);
}
